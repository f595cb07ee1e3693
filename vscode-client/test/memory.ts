import type { Citation, Memory } from "../src/protocol.ts";

export function citation(given: Partial<Citation> = {}): Citation {
  return {
    id: "c1",
    uid: "u-c1",
    generation: 1,
    kind: "span",
    uri: "file:///r/src/a.py",
    path: "src/a.py",
    startLine: 10,
    endLine: 12,
    verdict: "fresh",
    code: null,
    reason: "the lines stand as recorded",
    canReverify: false,
    targets: [],
    ...given,
  };
}

export function memory(id: string, given: Partial<Memory> = {}): Memory {
  return {
    id,
    uid: `u-${id}`,
    text: `text of ${id}`,
    repository: "file:///r",
    recordedAt: "2026-11-30T12:00:00Z",
    freshness: "fresh",
    kind: null,
    reason: "",
    snoozed: null,
    citations: [citation()],
    ...given,
  };
}
