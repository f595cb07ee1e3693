/** The tree of memories: by verdict, then by file. */

import type { Citation, Memory } from "./protocol.ts";

export type GroupName = "stale" | "cosmetic" | "unknown" | "snoozed" | "fresh";

export interface FileOfMemories {
  readonly path: string;
  readonly uri: string;
  readonly memories: readonly Memory[];
}

export interface Group {
  readonly name: GroupName;
  readonly label: string;
  readonly count: number;
  readonly files: readonly FileOfMemories[];
}

const LABELS: Record<GroupName, string> = {
  stale: "Stale",
  cosmetic: "Changed in line ends only",
  unknown: "Cannot tell",
  snoozed: "Snoozed",
  fresh: "Fresh",
};
const WORST_FIRST = Object.keys(LABELS) as GroupName[];

/** The groups that hold anything, worst first; files and memories in their order. */
export function grouped(memories: readonly Memory[], filter = ""): Group[] {
  const shown = memories.filter((memory) => matches(memory, filter));
  return WORST_FIRST.map((name) => {
    const members = shown.filter((memory) => groupOf(memory) === name);
    return { name, label: LABELS[name], count: members.length, files: byFile(members) };
  }).filter((group) => group.count > 0);
}

/** The group a memory stands in: a silenced one in no other than its own. */
export function groupOf(memory: Memory): GroupName {
  if (memory.snoozed) return "snoozed";
  if (memory.freshness === "stale" && memory.kind === "cosmetic") return "cosmetic";
  return memory.freshness;
}

/** Whether every word of `filter` occurs in the memory's text, id or paths. */
export function matches(memory: Memory, filter: string): boolean {
  const text = [memory.id, memory.text, ...memory.citations.map((citation) => citation.path)].join("\n").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The citation that a memory's row stands for: the first that is as bad as the memory, else the first. */
export function foremost(memory: Memory): Citation | undefined {
  return memory.citations.find((citation) => citation.verdict === memory.freshness) ?? memory.citations[0];
}

function byFile(memories: readonly Memory[]): FileOfMemories[] {
  const files = new Map<string, { path: string; uri: string; memories: Memory[] }>();
  for (const memory of memories) {
    const { uri, path } = foremost(memory) ?? { uri: memory.repository, path: "" };
    const file = files.get(uri) ?? { path, uri, memories: [] };
    files.set(uri, file);
    file.memories.push(memory);
  }
  const sorted = [...files.values()].sort((left, right) => compare(left.path, right.path));
  for (const file of sorted) file.memories.sort((left, right) => line(left) - line(right));
  return sorted;
}

function line(memory: Memory): number {
  return foremost(memory)?.startLine ?? 0;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The citations of `memories` that can be re-verified, by document. */
export function reverifiable(memories: readonly Memory[]): Map<string, Citation[]> {
  const byUri = new Map<string, Citation[]>();
  for (const citation of memories.flatMap((memory) => memory.citations)) {
    if (!citation.canReverify) continue;
    byUri.set(citation.uri, [...(byUri.get(citation.uri) ?? []), citation]);
  }
  return byUri;
}

/** The memories that cite line `line` (1-based) of a document. */
export function citing(memories: readonly Memory[], uri: string, line: number): Memory[] {
  const covers = (citation: Citation): boolean =>
    citation.uri === uri &&
    (citation.startLine === null || (citation.startLine <= line && line <= (citation.endLine ?? citation.startLine)));
  return memories.filter((memory) => memory.citations.some(covers));
}

/** The first line of a memory's text, for a row. */
export function headline(text: string): string {
  return text.split(/\r\n|\r|\n/).find((each) => each.trim()) ?? "";
}
