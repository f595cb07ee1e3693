import assert from "node:assert/strict";
import { test } from "node:test";

import { Crashes } from "../src/crashes.ts";

test("a server that ended by itself is started again, each time a little later, and not after five times in a row", () => {
  const crashes = new Crashes();
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((second) => crashes.next(second * 1_000)),
    [0, 1_000, 2_000, 4_000, undefined],
  );
});

test("crashes of long ago do not count, nor do those before a person asked for a start", () => {
  const crashes = new Crashes();
  for (let hour = 0; hour < 10; hour += 1) assert.equal(crashes.next(hour * 3_600_000), 0);
  crashes.next(9 * 3_600_000 + 1);
  crashes.forget();
  assert.equal(crashes.next(9 * 3_600_000 + 2), 0);
});
