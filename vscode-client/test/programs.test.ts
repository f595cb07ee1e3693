import assert from "node:assert/strict";
import { test } from "node:test";

import { findProgram } from "../src/programs.ts";

const files =
  (...names: string[]) =>
  (file: string): boolean =>
    names.includes(file);

test("a program is found in the first folder of PATH that has it", () => {
  const search = {
    platform: "linux",
    environment: { PATH: "/a:/b:/c" },
    isFile: files("/b/python3", "/c/python3"),
  } as const;
  assert.equal(findProgram("python3", search), "/b/python3");
  assert.equal(findProgram("python", search), undefined);
});

test("F41: a folder of PATH that depends on where one stands is not searched: a workspace offers no programs", () => {
  const search = { platform: "linux", environment: { PATH: ".::bin:/c" }, isFile: () => true } as const;
  assert.equal(findProgram("python3", search), "/c/python3");
});

test("on Windows the ending is added, and the names of variables may be written in any case", () => {
  const environment = { Path: "C:\\one;C:\\two", PATHEXT: ".COM;.EXE;.BAT" };
  const search = { platform: "win32", environment, isFile: files("C:\\two\\py.exe", "C:\\one\\py.bat") } as const;
  assert.equal(findProgram("py", search), "C:\\two\\py.exe");
  assert.equal(findProgram("py.exe", search), "C:\\two\\py.exe");
});
