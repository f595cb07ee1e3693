import * as path from "node:path";
import * as vscode from "vscode";

import { foremost, headline, reverifiable } from "./groups.ts";
import { linesOf, promptSupersede } from "./prompts.ts";
import {
  SERVER,
  type Answer,
  type Arguments,
  type ChangeAnswer,
  type Citation,
  type CitedRef,
  type HistoryAnswer,
  type Memory,
  type Place,
} from "./protocol.ts";
import type { Server } from "./server.ts";
import type { Views } from "./views.ts";

/** *Still true*: take the cited lines as they are now, one request for each document. */
export async function reverify(server: Server, memories: readonly Memory[]): Promise<void> {
  const byDocument = reverifiable(memories);
  if (!byDocument.size && memories.length) say("Nothing here can be re-verified: its lines are fresh, or gone.");
  for (const [uri, citations] of byDocument) {
    await server.run<Answer>(SERVER.reverify, { uri, citations: citations.map(ref), key: crypto.randomUUID() });
  }
}

export async function supersede(server: Server, memory: Memory): Promise<void> {
  await promptSupersede(server, { ...about(memory), text: memory.text });
}

/** End memories without a successor; the message offers to take the last of it back. */
export async function retract(server: Server, memories: readonly Memory[]): Promise<void> {
  for (const memory of memories) {
    const answer = await server.run<Answer>(SERVER.retract, about(memory));
    if (!answer?.ok) return;
  }
  const [first] = memories;
  if (!first) return;
  const what = memories.length === 1 ? `${first.id}: ${headline(first.text)}` : `${memories.length} memories`;
  const undo = await vscode.window.showInformationMessage(
    `Retracted ${what}`,
    ...(memories.length === 1 ? ["Undo"] : []),
  );
  if (undo) await server.run<Answer>(SERVER.undo, { uri: first.repository });
}

/** Point a citation at lines that the server found, or at the selected ones. */
export async function repoint(server: Server, memory: Memory): Promise<void> {
  const citation = foremost(memory);
  const target = citation && (await askTarget(citation, memory));
  if (!citation || !target || target.startLine === null) return;
  const argument: Arguments = {
    uri: citation.uri,
    citations: [ref(citation)],
    memory: memory.uid,
    startLine: target.startLine,
    endLine: target.endLine ?? target.startLine,
    ...(target.path === citation.path ? {} : { path: target.path }),
    key: crypto.randomUUID(),
  };
  await server.run<Answer>(SERVER.repoint, argument);
}

/** Silence memories for some days, or until their lines change. */
export async function snooze(server: Server, memories: readonly Memory[]): Promise<void> {
  const choices: { label: string; days?: number }[] = [
    { label: "Until the lines change again" },
    { label: "For a day", days: 1 },
    { label: "For a week", days: 7 },
    { label: "For 30 days", days: 30 },
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: "Snooze" });
  if (chosen) await setSnooze(server, memories, chosen.days === undefined ? {} : { days: chosen.days });
}

export async function wake(server: Server, memories: readonly Memory[]): Promise<void> {
  await setSnooze(server, memories, { days: 0 });
}

const NOTED = {
  used: (id: string) => `Noted: ${id} was used.`,
  right: (id: string) => `Noted: ${id} was right.`,
  wrong: (id: string) => `Taken back: ${id} was not right.`,
};

/** Say of a memory that it was used, or that it was right or wrong; the server tells where it cannot be recorded. */
export async function giveFeedback(server: Server, memory: Memory, what: keyof typeof NOTED): Promise<void> {
  const uri = foremost(memory)?.uri ?? memory.repository;
  const answer = await server.run<Answer>(SERVER[what], { uri, memory: memory.uid, key: crypto.randomUUID() });
  if (answer?.ok) say(NOTED[what](memory.id));
}

export async function showChange(server: Server, views: Views, memory: Memory): Promise<void> {
  const answer = await server.run<ChangeAnswer>(SERVER.showChange, about(memory));
  if (answer?.ok) await views.showChange(answer);
}

export async function showHistory(server: Server, views: Views, memory: Memory): Promise<void> {
  const answer = await server.run<HistoryAnswer>(SERVER.showHistory, about(memory));
  if (answer?.ok) await views.showHistory(answer);
}

/** Open the cited lines; of a file that is gone, the place it had cannot be shown. */
export async function reveal(memory: Memory): Promise<void> {
  const citation = foremost(memory);
  if (!citation) return say(`${memory.id} cites no lines.`);
  const uri = vscode.Uri.parse(citation.uri);
  const start = (citation.startLine ?? 1) - 1;
  const end = citation.endLine === null ? start : citation.endLine - 1;
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const selection = new vscode.Range(
      start,
      0,
      end,
      document.lineAt(Math.min(end, document.lineCount - 1)).text.length,
    );
    await vscode.window.showTextDocument(document, { selection, preserveFocus: false, preview: true });
  } catch {
    say(`${citation.path} cannot be opened: ${citation.reason}.`);
  }
}

async function setSnooze(server: Server, memories: readonly Memory[], how: { days?: number }): Promise<void> {
  for (const memory of memories) {
    await server.run<Answer>(SERVER.snooze, { ...about(memory), ...how });
  }
}

async function askTarget(citation: Citation, memory: Memory): Promise<Place | undefined> {
  const selected = selectedPlace(memory);
  const items = [
    ...citation.targets.map((place) => ({ label: `$(search) ${shown(place)}`, description: "found there", place })),
    ...(selected
      ? [{ label: `$(selection) ${shown(selected)}`, description: "the selected lines", place: selected }]
      : []),
  ];
  if (!items.length) {
    say("The lines were found nowhere. Select where they are now, and re-point again.");
    return undefined;
  }
  const title = `Re-point ${memory.id} from ${shown(citation)} to`;
  return (await vscode.window.showQuickPick(items, { title }))?.place;
}

function selectedPlace(memory: Memory): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty || editor.document.uri.scheme !== "file") return undefined;
  const root = vscode.Uri.parse(memory.repository).path;
  const relative = path.posix.relative(root, editor.document.uri.path);
  if (relative.startsWith("..")) return undefined;
  const { start, end } = linesOf(editor.selection);
  return { uri: editor.document.uri.toString(), path: relative, startLine: start, endLine: end };
}

/** What names a memory to the server; without citations it stands at no lines, and only it is settled. */
function about(memory: Memory): Arguments {
  const citation = foremost(memory);
  const citations = citation && citation.uri !== memory.repository ? [ref(citation)] : [];
  return { uri: citation?.uri ?? memory.repository, citations, memory: memory.uid, key: crypto.randomUUID() };
}

function ref({ uid, generation }: CitedRef): CitedRef {
  return { uid, generation };
}

function shown(place: Place): string {
  return place.startLine === null ? place.path : `${place.path}:${place.startLine}-${place.endLine ?? place.startLine}`;
}

function say(message: string): void {
  void vscode.window.showInformationMessage(message);
}
