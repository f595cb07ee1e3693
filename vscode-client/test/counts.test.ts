import assert from "node:assert/strict";
import { test } from "node:test";

import { statusOf, summary } from "../src/counts.ts";

const none = { memories: 0, fresh: 0, stale: 0, cosmetic: 0, unknown: 0, snoozed: 0, busy: false, problem: null };

test("where nothing is remembered, nothing is shown", () => {
  assert.equal(statusOf("asleep", undefined), undefined);
  assert.equal(statusOf("running", undefined), undefined);
  assert.equal(statusOf("running", none), undefined);
  assert.equal(statusOf("starting", undefined), undefined);
  assert.equal(statusOf("off", undefined), undefined);
});

test("the status item counts stale memories", () => {
  const shown = statusOf("running", { ...none, memories: 3, stale: 2, fresh: 1 });
  assert.equal(shown?.text, "$(bookmark) 2 stale");
  assert.equal(shown?.tooltip, "StillTrue: 2 stale, 1 fresh. Click to open the memories.");
  assert.equal(statusOf("running", { ...none, memories: 1, fresh: 1 })?.text, "$(bookmark) StillTrue");
});

test("while a check runs the status item is busy", () => {
  assert.equal(statusOf("running", { ...none, busy: true })?.text, "$(sync~spin) StillTrue");
});

test("what keeps memories from being told is said", () => {
  assert.equal(statusOf("running", { ...none, problem: "The store is locked." })?.tooltip, "The store is locked.");
  assert.equal(statusOf("failed", undefined)?.warning, true);
});

test("counts are told in words, zeroes left out", () => {
  assert.equal(
    summary({ ...none, memories: 4, cosmetic: 1, unknown: 2, snoozed: 1 }),
    "1 changed in line ends only, 2 cannot be told, 1 snoozed",
  );
  assert.equal(summary(none), "no memories here");
});
