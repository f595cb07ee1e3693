/** Where a person's memories and settings lie, as the server has it: looking for them starts no process. */

import * as path from "node:path";

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const SQLITE = "sqlite:///";

/** The file that memories are kept in; undefined where only the server can tell. */
export function storeFile(around: Surroundings): string | undefined {
  const named = around.environment["STILLTRUE_DB"]?.trim();
  if (!named) return pathsOf(around).join(userFolder(around, "XDG_DATA_HOME", [".local", "share"]), "memories.db");
  const file = named.startsWith(SQLITE) ? named.slice(SQLITE.length) : named;
  if (file.includes("://")) return undefined;
  return pathsOf(around).resolve(file.replace(/^~(?=$|[\\/])/, around.home));
}

/** A person's own `config.toml`, which may name another store. */
export function userConfigFile(around: Surroundings): string {
  return pathsOf(around).join(userFolder(around, "XDG_CONFIG_HOME", [".config"]), "config.toml");
}

function userFolder(around: Surroundings, variable: string, elsewhere: readonly string[]): string {
  const { join, isAbsolute } = pathsOf(around);
  if (around.platform === "win32") {
    return join(around.environment["LOCALAPPDATA"] || join(around.home, "AppData", "Local"), "stilltrue");
  }
  const given = around.environment[variable]?.trim();
  if (given && isAbsolute(given)) return join(given, "stilltrue");
  if (around.platform === "darwin") return join(around.home, "Library", "Application Support", "stilltrue");
  return join(around.home, ...elsewhere, "stilltrue");
}

function pathsOf(around: Surroundings): path.PlatformPath {
  return around.platform === "win32" ? path.win32 : path.posix;
}
