/** The variables that people write in settings, such as `${workspaceFolder}`. */

export interface Known {
  readonly home: string;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `text` with its variables replaced; one that is not known stays as it is written. */
export function expand(text: string, known: Known): string {
  const expanded = text.replace(/\$\{([^}]+)\}/g, (written, name: string) => valueOf(name, known) ?? written);
  return expanded.replace(/^~(?=$|[\\/])/, () => known.home);
}

function valueOf(name: string, known: Known): string | undefined {
  const [kind, ...rest] = name.split(":");
  const which = rest.join(":");
  switch (kind) {
    case "userHome":
      return known.home;
    case "workspaceFolder":
      return which ? known.folders.find((folder) => folder.name === which)?.path : known.folders[0]?.path;
    case "env":
      return known.environment[which] ?? "";
    default:
      return undefined;
  }
}
