import type { GroupName } from "./groups.ts";
import type { Memory } from "./protocol.ts";

/** What the `when` clauses of the manifest's menus look at: words, each between semicolons. */
export function contextOf(memory: Memory, group: GroupName, kind: "memory" | "citation" = "memory"): string {
  const words: string[] = [kind, group];
  if (memory.citations.some((citation) => citation.canReverify)) words.push("reverify");
  if (memory.freshness !== "fresh") words.push("unsettled");
  if (memory.citations.some((citation) => citation.verdict !== "fresh")) words.push("repoint");
  return `;${words.join(";")};`;
}
