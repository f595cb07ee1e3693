/** Commands that install the command line from a wheel, as a person would type them. */

export interface InstallCommand {
  readonly label: string;
  readonly description: string;
  readonly command: string;
}

export function installCommands(wheel: string, python: readonly string[], platform: NodeJS.Platform): InstallCommand[] {
  const quote = platform === "win32" ? quoteWindows : quotePosix;
  const run = platform === "win32" && python.length === 1 && /\s/.test(python[0] ?? "") ? "& " : "";
  const interpreter = run + python.map(quote).join(" ");
  return [
    { label: "pipx", description: "in an environment of its own", command: `pipx install ${quote(wheel)}` },
    { label: "uv", description: "in an environment of its own", command: `uv tool install ${quote(wheel)}` },
    ...(python.length
      ? [
          {
            label: "pip",
            description: "among your own packages",
            command: `${interpreter} -m pip install --user ${quote(wheel)}`,
          },
        ]
      : []),
  ];
}

function quotePosix(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function quoteWindows(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}
