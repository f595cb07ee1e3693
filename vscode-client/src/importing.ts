import * as vscode from "vscode";

import { imported, report } from "./importReport.ts";
import { SERVER, type ImportAnswer } from "./protocol.ts";
import type { Server } from "./server.ts";
import type { Views } from "./views.ts";

/** Look for memories in Markdown, say what was found, and take it only if the person says so. */
export async function importMemories(server: Server, views: Views, files: readonly vscode.Uri[]): Promise<void> {
  const argument = files.length ? { files: files.map((file) => file.toString()) } : {};
  const found = await server.run<ImportAnswer>(SERVER.import, { ...argument, dryRun: true });
  if (!found?.ok) return;
  const { headline, detail, all } = report(found);
  if (!found.found.length) {
    void vscode.window.showInformationMessage(headline);
    return;
  }
  const chosen = await vscode.window.showInformationMessage(headline, { modal: true, detail }, "Import", "Show All");
  if (chosen === "Show All") await views.showText("found memories.md", all);
  if (chosen !== "Import") return;
  const done = await server.run<ImportAnswer>(SERVER.import, { ...argument, key: crypto.randomUUID() });
  if (done?.ok) void vscode.window.showInformationMessage(imported(done.imported));
}
