import * as vscode from "vscode";

import { SERVER, type Answer, type Arguments } from "./protocol.ts";
import type { Server } from "./server.ts";

/** Ask for the text that takes the place of a memory's, beginning with the old one. */
export async function promptSupersede(server: Server, argument: Arguments): Promise<void> {
  const before = argument.text ?? "";
  if (/[\r\n]/.test(before)) {
    // An input box has one line; the server's draft document has as many as the text.
    const { text: _, ...rest } = argument;
    await server.run<Answer>(SERVER.supersede, rest);
    return;
  }
  const text = await askText("Supersede the memory", "What is true of these lines now?", before);
  if (text !== undefined) await server.run<Answer>(SERVER.supersede, { ...argument, text });
}

/** Ask for what is to be remembered about lines. */
export async function promptRemember(server: Server, argument: Arguments): Promise<void> {
  const text = await askText("Remember this selection", "What should be remembered about these lines?", argument.text);
  if (text !== undefined) await server.run<Answer>(SERVER.remember, { ...argument, text });
}

/** Remember the selected lines of the active editor, or the cursor's line. */
export async function rememberSelection(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("Select lines of a file that is saved in a folder of yours first.");
    return;
  }
  const { start, end } = linesOf(editor.selection);
  const { uri, version } = editor.document;
  const argument = { uri: uri.toString(), startLine: start, endLine: end, version, key: crypto.randomUUID() };
  await promptRemember(server, argument);
}

/** The lines of a selection, 1-based and inclusive; one that ends before a line's first letter leaves that line out. */
export function linesOf(selection: vscode.Selection): { start: number; end: number } {
  const start = selection.start.line + 1;
  const last = selection.end.character === 0 && !selection.isEmpty ? selection.end.line : selection.end.line + 1;
  return { start, end: Math.max(start, last) };
}

function askText(title: string, prompt: string, value = ""): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() ? undefined : "A memory needs a text."),
  });
}
