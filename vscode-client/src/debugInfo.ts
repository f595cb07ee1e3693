import * as vscode from "vscode";

import { serverValues } from "./configuration.ts";
import { SERVER, type DoctorAnswer } from "./protocol.ts";
import type { Server } from "./server.ts";

/** Everything a bug report needs, for the clipboard: no text of a memory is in it. */
export async function debugInformation(
  context: vscode.ExtensionContext,
  server: Server,
  settingNames: readonly string[],
): Promise<string> {
  const configuration = vscode.workspace.getConfiguration("stilltrue");
  const own = { interpreter: configuration.get("interpreter"), path: configuration.get("path") };
  const taken = server.choice?.interpreter;
  const answer = server.isRunning() ? await server.run<DoctorAnswer>(SERVER.doctor, {}) : undefined;
  return [
    `StillTrue ${String(context.extension.packageJSON.version)} in ${vscode.env.appName} ${vscode.version}`,
    `system: ${process.platform} ${process.arch}${vscode.env.remoteName ? `, remote ${vscode.env.remoteName}` : ""}`,
    `server: ${server.state}`,
    `interpreter: ${taken ? `${taken.command.join(" ")}, ${taken.version}, from ${taken.source}` : "none"}`,
    ...(server.choice?.refused ?? []).map((refused) => `not taken: ${refused}`),
    `workspace: ${vscode.workspace.workspaceFolders?.length ?? 0} folders, trusted: ${vscode.workspace.isTrusted}`,
    `settings: ${JSON.stringify({ ...serverValues(settingNames), ...own })}`,
    `counts: ${JSON.stringify(server.counts ?? null)}`,
    "",
    answer?.text ?? "(no report: the server is not running)",
  ].join("\n");
}
