import assert from "node:assert/strict";
import { test } from "node:test";

import { report } from "../src/importReport.ts";

const found = (line: number) => ({
  text: `Note\n${line}`,
  source: "AGENTS.md",
  line,
  places: [{ path: "src/a.py", startLine: 1, endLine: 5 }],
});

test("a person reads what was found before anything is taken", () => {
  const refused = [{ text: "x", source: "CLAUDE.md", line: 14, why: "src/old.py does not exist" }];
  const said = report({ ok: true, imported: 0, known: 1, found: [found(1)], refused });

  assert.equal(said.headline, "Found 1 memory in AGENTS.md, CLAUDE.md.");
  assert.equal(said.detail, "Note 1 (src/a.py:1-5)\n\n1 is known already and left alone.\n1 place cannot be taken.");
  assert.match(said.all, /- CLAUDE\.md:14: src\/old\.py does not exist/);
});

test("many are counted, not all shown", () => {
  const said = report({
    ok: true,
    imported: 0,
    known: 0,
    found: Array.from({ length: 20 }, (_, i) => found(i)),
    refused: [],
  });
  assert.equal(said.headline, "Found 20 memories in AGENTS.md.");
  assert.equal(said.detail.split("\n").at(-1), "… and 8 more");
  assert.equal(said.all.match(/^- /gm)?.length, 20);
});

test("where nothing is found it is said what is looked for", () => {
  assert.match(
    report({ ok: true, imported: 0, known: 0, found: [], refused: [] }).headline,
    /^Found no memory that names its lines/,
  );
});
