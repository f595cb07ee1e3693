import assert from "node:assert/strict";
import { test } from "node:test";

import { expand } from "../src/variables.ts";

const known = {
  home: "/home/me",
  folders: [
    { name: "one", path: "/w/one" },
    { name: "two", path: "/w/two $& x" },
  ],
  environment: { VENV: "/opt/venv" },
};

test("variables that people write in settings are replaced", () => {
  assert.equal(expand("${workspaceFolder}/.venv/bin/python", known), "/w/one/.venv/bin/python");
  assert.equal(expand("${workspaceFolder:two}/python", known), "/w/two $& x/python");
  assert.equal(expand("${userHome}/python", known), "/home/me/python");
  assert.equal(expand("${env:VENV}/bin/python", known), "/opt/venv/bin/python");
  assert.equal(expand("~/bin/python", known), "/home/me/bin/python");
});

test("what is not known stays as it is written, but for a variable of the environment, which is empty", () => {
  assert.equal(expand("${workspaceFolder:three}/python", known), "${workspaceFolder:three}/python");
  assert.equal(expand("${command:pick}", known), "${command:pick}");
  assert.equal(expand("${env:NONE}python", known), "python");
  assert.equal(expand("a~/b", known), "a~/b");
});
