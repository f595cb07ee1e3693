/** Choose the Python that runs the server: the first candidate that is new enough, and why not the others. */

export const OLDEST = [3, 11] as const;

/** A command that may be a Python, and where it was named. */
export interface Candidate {
  readonly command: readonly string[];
  readonly source: string;
}

export interface Interpreter extends Candidate {
  readonly version: string;
}

/** What a candidate said of itself: its version, or what went wrong. */
export type Probe = (command: readonly string[]) => Promise<{ version: string } | { problem: string }>;

export interface Choice {
  readonly interpreter?: Interpreter;
  readonly refused: readonly string[];
}

/** The first of `candidates` that fits; those after it are not asked. */
export async function choose(candidates: AsyncIterable<Candidate>, probe: Probe): Promise<Choice> {
  const refused: string[] = [];
  const asked = new Set<string>();
  for await (const candidate of candidates) {
    const shown = candidate.command.join(" ");
    if (asked.has(shown)) continue;
    asked.add(shown);
    const said = await probe(candidate.command);
    const problem = "problem" in said ? said.problem : tooOld(said.version);
    if (!problem && "version" in said) return { interpreter: { ...candidate, version: said.version }, refused };
    refused.push(`${shown} (${candidate.source}): ${problem}`);
  }
  return { refused };
}

function tooOld(version: string): string | undefined {
  const found = parseVersion(version);
  if (!found) return `"${version}" is no version of Python`;
  return isNewEnough(found) ? undefined : `Python ${version} is too old, ${OLDEST.join(".")} or newer is needed`;
}

/** Major and minor number of a version such as `3.12.4` or `3.14.0rc1`. */
export function parseVersion(text: string): readonly [number, number] | undefined {
  const found = /^\s*(?:Python )?(\d+)\.(\d+)(?:\D|$)/.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

export function isNewEnough([major, minor]: readonly [number, number]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** The names under which PATH may hold a Python, best first. */
export function namesOnPath(platform: NodeJS.Platform): readonly (readonly string[])[] {
  const numbered = ["python3.14", "python3.13", "python3.12", "python3.11"].map((name) => [name]);
  return platform === "win32" ? [["py", "-3"], ["python3"], ["python"]] : [["python3"], ["python"], ...numbered];
}

/** The setting as a command: a path, a path in a list, or a path and its arguments. */
export function commandFrom(setting: unknown): string[] {
  const parts = typeof setting === "string" ? [setting] : Array.isArray(setting) ? setting : [];
  const texts = parts.filter((part): part is string => typeof part === "string");
  return texts[0]?.trim() ? texts.map((part, index) => (index ? part : part.trim())) : [];
}
