import * as vscode from "vscode";

import type { ChangeAnswer, HistoryAnswer } from "./protocol.ts";

const SCHEME = "stilltrue-text";
const KEPT = 40;

/** Read-only documents of our own: the two sides of a change, and a history where there is no view of it. */
export class Views implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  private made = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Show a change in the editor's own diff: the lines as cited on the left, as they are now on the right. */
  async showChange(change: ChangeAnswer): Promise<void> {
    const cited = this.document(`cited/${change.path}`, change.cited ?? "");
    const now = this.document(`now/${change.path}`, change.now ?? "");
    await vscode.commands.executeCommand("vscode.diff", cited, now, change.title, { preview: true });
  }

  /** Show the history of a memory, in the server's view of it where the editor can open that. */
  async showHistory(history: HistoryAnswer): Promise<void> {
    const opened = history.view?.startsWith("memory:") ? await openView(history.view) : undefined;
    const document = opened ?? (await openOwn(this.document(`${history.title}.md`, history.text)));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Show `text` under `name` as Markdown that nobody can change. */
  async showText(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(await openOwn(this.document(name, text)), { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
  }

  private document(name: string, text: string): vscode.Uri {
    this.made += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(this.made) });
    this.texts.set(uri.toString(), text);
    const [oldest] = this.texts.keys();
    if (this.texts.size > KEPT && oldest) this.texts.delete(oldest);
    return uri;
  }
}

async function openOwn(uri: vscode.Uri): Promise<vscode.TextDocument> {
  return vscode.workspace.openTextDocument(uri);
}

async function openView(uri: string): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  } catch {
    return undefined;
  }
}
