import * as vscode from "vscode";

import { explicit } from "./settings.ts";

const SECTION = "stilltrue";

/** The settings that a person wrote, as the server takes them. */
export function serverValues(names: readonly string[], scope?: vscode.ConfigurationScope): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope ?? null);
  return explicit(names, (name) => configuration.inspect(name));
}

/** One of the client's own settings. */
export function own<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration(SECTION).get<T>(name) ?? otherwise;
}

/** Whether `event` is about one of `names`. */
export function affects(event: vscode.ConfigurationChangeEvent, names: readonly string[]): boolean {
  return names.some((name) => event.affectsConfiguration(`${SECTION}.${name}`));
}
