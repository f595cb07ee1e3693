/** Find programs on PATH. Folders that are not absolute are left out: a workspace must not offer its own. */

import * as path from "node:path";

export interface SearchPath {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isFile: (file: string) => boolean;
}

/** The absolute path of the program `name`, or undefined where there is none. */
export function findProgram(name: string, search: SearchPath): string | undefined {
  const windows = search.platform === "win32";
  const { join, isAbsolute, delimiter } = windows ? path.win32 : path.posix;
  const endings = windows ? endingsOf(name, search) : [""];
  for (const folder of variable("PATH", search).split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (search.isFile(file)) return file;
    }
  }
  return undefined;
}

function endingsOf(name: string, search: SearchPath): string[] {
  if (path.win32.extname(name).toLowerCase() === ".exe") return [""];
  const runnable = (variable("PATHEXT", search) || ".COM;.EXE").toLowerCase().split(";");
  return runnable.filter((ending) => ending === ".exe" || ending === ".com");
}

function variable(name: string, search: SearchPath): string {
  const key = Object.keys(search.environment).find((each) =>
    search.platform === "win32" ? each.toUpperCase() === name : each === name,
  );
  return (key && search.environment[key]) || "";
}
