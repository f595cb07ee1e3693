import assert from "node:assert/strict";
import { test } from "node:test";

import { choose, commandFrom, isNewEnough, namesOnPath, parseVersion, type Candidate } from "../src/interpreter.ts";

async function* from(...commands: string[]): AsyncGenerator<Candidate> {
  for (const command of commands) yield { command: [command], source: "PATH" };
}

test("F41: the first Python that is new enough is taken, and it is said why not the others", async () => {
  const versions: Record<string, { version: string } | { problem: string }> = {
    old: { version: "3.10.14" },
    gone: { problem: "no such program" },
    good: { version: "3.12.1" },
    never: { version: "3.14.0" },
  };
  const asked: string[] = [];
  const choice = await choose(from("old", "gone", "good", "never"), async ([command = ""]) => {
    asked.push(command);
    return versions[command] ?? { problem: "?" };
  });

  assert.deepEqual(choice.interpreter, { command: ["good"], source: "PATH", version: "3.12.1" });
  assert.deepEqual(choice.refused, [
    "old (PATH): Python 3.10.14 is too old, 3.11 or newer is needed",
    "gone (PATH): no such program",
  ]);
  assert.deepEqual(asked, ["old", "gone", "good"]);
});

test("F41: where none fits there is no interpreter, and each is asked once", async () => {
  let asked = 0;
  const choice = await choose(from("a", "a"), async () => {
    asked += 1;
    return { version: "a lot of text" };
  });

  assert.equal(choice.interpreter, undefined);
  assert.deepEqual(choice.refused, ['a (PATH): "a lot of text" is no version of Python']);
  assert.equal(asked, 1);
});

test("versions are read as Python writes them", () => {
  assert.deepEqual(parseVersion("3.11.0"), [3, 11]);
  assert.deepEqual(parseVersion("Python 3.14.0rc1"), [3, 14]);
  assert.deepEqual(parseVersion("3.14"), [3, 14]);
  assert.equal(parseVersion("Python was not found; run without arguments"), undefined);
  assert.equal(parseVersion(""), undefined);
});

test("3.11 and everything newer is new enough", () => {
  for (const version of [
    [3, 11],
    [3, 20],
    [4, 0],
  ] as const)
    assert.equal(isNewEnough(version), true);
  for (const version of [
    [3, 10],
    [3, 9],
    [2, 7],
  ] as const)
    assert.equal(isNewEnough(version), false);
});

test("on Windows the launcher is asked first", () => {
  assert.deepEqual(namesOnPath("win32")[0], ["py", "-3"]);
  assert.deepEqual(namesOnPath("linux")[0], ["python3"]);
});

test("a command is a path, with spaces in it too, or a path and its arguments", () => {
  assert.deepEqual(commandFrom("C:\\Program Files\\Python\\python.exe"), ["C:\\Program Files\\Python\\python.exe"]);
  assert.deepEqual(commandFrom(["py", "-3.12"]), ["py", "-3.12"]);
  for (const nothing of ["", "  ", [], [""], null, undefined, 3, {}]) assert.deepEqual(commandFrom(nothing), []);
});
