/** What an import found, in words: nothing is taken before a person has read them. */

import type { Found, ImportAnswer, Refused } from "./protocol.ts";

const SHOWN = 12;

export interface Report {
  readonly headline: string;
  readonly detail: string;
  readonly all: string;
}

export function report(answer: ImportAnswer): Report {
  const { found, refused, known } = answer;
  const sources = [...new Set([...found, ...refused].map((each) => each.source))];
  const headline = found.length
    ? `Found ${count(found.length, "memory", "memories")} in ${sources.join(", ")}.`
    : "Found no memory that names its lines, such as src/a.py:10-20, in AGENTS.md, CLAUDE.md and the like.";
  const rest = [
    known ? `${count(known, "is", "are")} known already and left alone.` : "",
    refused.length ? `${count(refused.length, "place", "places")} cannot be taken.` : "",
  ].filter(Boolean);
  const lines = found.slice(0, SHOWN).map(foundLine);
  const more = found.length > SHOWN ? [`… and ${found.length - SHOWN} more`] : [];
  return {
    headline,
    detail: [...lines, ...more, ...(rest.length ? ["", ...rest] : [])].join("\n"),
    all: ["# Found", "", ...found.map((each) => `- ${foundLine(each)}`), ...refusedPart(refused), ""].join("\n"),
  };
}

/** What was done, in words. */
export function imported(number: number): string {
  return `Imported ${count(number, "memory", "memories")}.`;
}

function foundLine(found: Found): string {
  const places = found.places.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);
  return `${found.text.replace(/\s+/g, " ")} (${places.join(", ")})`;
}

function refusedPart(refused: readonly Refused[]): string[] {
  if (!refused.length) return [];
  return ["", "# Cannot be taken", "", ...refused.map((each) => `- ${each.source}:${each.line}: ${each.why}`)];
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
