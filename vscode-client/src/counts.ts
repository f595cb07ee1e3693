/** What the status item says. */

import type { Counts } from "./protocol.ts";

export type ServerState = "off" | "asleep" | "starting" | "running" | "failed";

export interface Shown {
  readonly text: string;
  readonly tooltip: string;
  readonly warning: boolean;
}

/** The status item; undefined where there is nothing to tell, so that nothing is shown. */
export function statusOf(state: ServerState, counts: Counts | undefined): Shown | undefined {
  if (state === "failed") {
    return { text: "$(error) StillTrue", tooltip: "StillTrue is not running. Click to see why.", warning: true };
  }
  if (state !== "running" || !counts) return undefined;
  if (counts.problem) return { text: "$(error) StillTrue", tooltip: counts.problem, warning: true };
  if (!counts.memories && !counts.busy) return undefined;
  return {
    text: counts.busy ? "$(sync~spin) StillTrue" : textOf(counts),
    tooltip: `StillTrue: ${summary(counts)}. Click to open the memories.`,
    warning: false,
  };
}

function textOf(counts: Counts): string {
  return counts.stale ? `$(bookmark) ${counts.stale} stale` : "$(bookmark) StillTrue";
}

/** Every count that is not zero, in words. */
export function summary(counts: Counts): string {
  const parts = [
    [counts.stale, "stale"],
    [counts.cosmetic, "changed in line ends only"],
    [counts.unknown, "cannot be told"],
    [counts.snoozed, "snoozed"],
    [counts.fresh, "fresh"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return said.length ? said.join(", ") : "no memories here";
}
