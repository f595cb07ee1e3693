/** Which settings go to the server, and which start it anew. */

/** A setting as the editor knows it: what a person wrote, by where it was written. */
export interface Written {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** Settings that the process is started with; everything else reaches a server that runs. */
export const RESTARTING = ["enable", "interpreter", "path", "logLevel", "trace.server"] as const;

/**
 * What a person set, by name.
 *
 * Defaults are left out: a value that nobody wrote must not win over the person's own `config.toml`.
 */
export function explicit(
  names: readonly string[],
  inspect: (name: string) => Written | undefined,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const written = inspect(name);
    const value = written?.workspaceFolderValue ?? written?.workspaceValue ?? written?.globalValue;
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
}

/** The server's settings: those of the manifest that are not the client's own. */
export function serverSettings(manifest: { readonly [key: string]: unknown }): string[] {
  const contributed = (manifest["contributes"] as { configuration: { properties: Record<string, unknown> } })
    .configuration.properties;
  const own: readonly string[] = RESTARTING;
  return Object.keys(contributed)
    .map((name) => name.replace(/^stilltrue\./, ""))
    .filter((name) => !own.includes(name));
}
