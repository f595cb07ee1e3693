import * as path from "node:path";
import * as vscode from "vscode";

import { installCommands } from "./installCommands.ts";

/** Offer commands that install the command line from the wheel that came along; typed into a terminal, never run. */
export async function installCommandLine(context: vscode.ExtensionContext, python: readonly string[]): Promise<void> {
  const bundled = vscode.Uri.joinPath(context.extensionUri, "bundled");
  const files = await vscode.workspace.fs.readDirectory(bundled);
  const wheel = files.map(([name]) => name).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new Error("the extension came without its wheel; install it again");
  const items = installCommands(path.join(bundled.fsPath, wheel), python, process.platform);
  const title = "Install the command line with: the command is typed into a terminal for you to run";
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (!chosen) return;
  const terminal = vscode.window.createTerminal({ name: "Install StillTrue" });
  terminal.show();
  terminal.sendText(chosen.command, false);
}
