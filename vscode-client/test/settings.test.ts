import assert from "node:assert/strict";
import { test } from "node:test";

import { explicit, serverSettings } from "../src/settings.ts";

test("F40: only what a person wrote goes to the server, so that defaults do not win over config.toml", () => {
  const written: Record<string, object> = {
    diagnosticsDelay: { globalValue: 10, workspaceValue: 20 },
    severityStale: { globalValue: "error" },
    ignore: { globalValue: ["a"], workspaceValue: ["b"], workspaceFolderValue: [] },
    display: { defaultValue: "lens" },
    maxFileBytes: { globalValue: null },
  };
  const names = [...Object.keys(written), "unknown"];

  assert.deepEqual(
    explicit(names, (name) => written[name]),
    { diagnosticsDelay: 20, severityStale: "error", ignore: [] },
  );
});

test("F40: the server's settings are those of the manifest that are not the client's own", () => {
  const properties = {
    "stilltrue.enable": {},
    "stilltrue.path": {},
    "stilltrue.trace.server": {},
    "stilltrue.display": {},
  };
  assert.deepEqual(serverSettings({ contributes: { configuration: { properties } } }), ["display"]);
});
