import assert from "node:assert/strict";
import { test } from "node:test";

import { citing, foremost, grouped, headline, matches, reverifiable } from "../src/groups.ts";
import { contextOf } from "../src/rows.ts";
import { citation, memory } from "./memory.ts";

const stale = (id: string, path: string, startLine: number) =>
  memory(id, {
    freshness: "stale",
    kind: "content",
    citations: [
      citation({ uri: `file:///r/${path}`, path, startLine, endLine: startLine, verdict: "stale", canReverify: true }),
    ],
  });

test("memories stand by verdict, worst first, then by file, then by line", () => {
  const shown = grouped([
    memory("m1"),
    stale("m2", "src/b.py", 9),
    stale("m3", "src/b.py", 3),
    stale("m4", "a.py", 1),
    memory("m5", { freshness: "unknown" }),
    memory("m6", { freshness: "stale", kind: "cosmetic" }),
    memory("m7", { freshness: "stale", kind: "content", snoozed: "until its lines change" }),
  ]);

  assert.deepEqual(
    shown.map((group) => [group.name, group.count]),
    [
      ["stale", 3],
      ["cosmetic", 1],
      ["unknown", 1],
      ["snoozed", 1],
      ["fresh", 1],
    ],
  );
  assert.deepEqual(
    shown[0]?.files.map((file) => [file.path, file.memories.map((each) => each.id)]),
    [
      ["a.py", ["m4"]],
      ["src/b.py", ["m3", "m2"]],
    ],
  );
});

test("no group is shown for nothing", () => {
  assert.deepEqual(grouped([]), []);
  assert.deepEqual(grouped([memory("m1")], "other"), []);
});

test("the filter wants every word, in text, number or path, in any case", () => {
  const one = memory("m12", { text: "Retries stop after 5 attempts" });
  for (const found of ["", "retries", "5 RETRIES", "m12", "src/a", "retries a.py"])
    assert.ok(matches(one, found), found);
  for (const not of ["m13", "retries b.py"]) assert.ok(!matches(one, not), not);
});

test("a memory's row stands for the citation that is as bad as the memory", () => {
  const bad = citation({ uid: "bad", verdict: "stale" });
  assert.equal(foremost(memory("m1", { freshness: "stale", citations: [citation(), bad] })), bad);
  const missing = memory("m2", { freshness: "stale", citations: [citation({ uid: "first" })] });
  assert.equal(foremost(missing)?.uid, "first");
  assert.equal(foremost(memory("m3", { citations: [] })), undefined);
});

test("F26: what can be re-verified goes to the server by document, and nothing else does", () => {
  const other = citation({ uid: "x", uri: "file:///r/x.py", canReverify: true });
  const byUri = reverifiable([
    stale("m1", "a.py", 1),
    memory("m2", { citations: [citation(), other] }),
    stale("m3", "a.py", 5),
  ]);
  assert.deepEqual(
    [...byUri].map(([uri, citations]) => [uri, citations.length]),
    [
      ["file:///r/a.py", 2],
      ["file:///r/x.py", 1],
    ],
  );
});

test("the memories about a line are those that cite it, or its file as a whole", () => {
  const whole = memory("m2", { citations: [citation({ startLine: null, endLine: null })] });
  const all = [memory("m1"), whole, stale("m3", "b.py", 11)];
  const at = (line: number): string[] => citing(all, "file:///r/src/a.py", line).map((each) => each.id);
  assert.deepEqual([at(9), at(10), at(12), at(13)], [["m2"], ["m1", "m2"], ["m1", "m2"], ["m2"]]);
});

test("a row's headline is the first line that says something", () => {
  assert.equal(headline("\n  \nRetries stop\r\nafter 5"), "Retries stop");
  assert.equal(headline(""), "");
});

test("a row's menu offers what the server allows", () => {
  assert.equal(contextOf(stale("m1", "a.py", 1), "stale"), ";memory;stale;reverify;unsettled;repoint;");
  assert.equal(contextOf(memory("m1"), "fresh"), ";memory;fresh;");
  assert.equal(contextOf(memory("m1"), "fresh", "citation"), ";citation;fresh;");
});
