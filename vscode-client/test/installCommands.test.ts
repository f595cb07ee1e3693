import assert from "node:assert/strict";
import { test } from "node:test";

import { installCommands } from "../src/installCommands.ts";

const commands = (...given: Parameters<typeof installCommands>): string[] =>
  installCommands(...given).map(({ command }) => command);

test("the command line is installed from the wheel that came along", () => {
  assert.deepEqual(commands("/ext/stilltrue-0.1.0-py3-none-any.whl", ["/usr/bin/python3"], "linux"), [
    "pipx install /ext/stilltrue-0.1.0-py3-none-any.whl",
    "uv tool install /ext/stilltrue-0.1.0-py3-none-any.whl",
    "/usr/bin/python3 -m pip install --user /ext/stilltrue-0.1.0-py3-none-any.whl",
  ]);
});

test("paths with spaces and quotes are typed so that a shell takes them whole", () => {
  assert.equal(commands("/it's here/s.whl", [], "darwin")[0], "pipx install '/it'\\''s here/s.whl'");
  assert.equal(
    commands("C:\\My Files\\s.whl", ["C:\\Program Files\\python.exe"], "win32")[2],
    '& "C:\\Program Files\\python.exe" -m pip install --user "C:\\My Files\\s.whl"',
  );
});
