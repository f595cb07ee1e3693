import * as vscode from "vscode";

import { citing, groupOf, grouped, headline } from "./groups.ts";
import type { Memories } from "./memories.ts";
import type { Memory } from "./protocol.ts";
import type { Node } from "./tree.ts";

/** The memories that rows of the tree stand for; a citation's row for its memory with that citation alone. */
export function memoriesOf(nodes: readonly Node[]): Memory[] {
  const found = nodes.flatMap((node): readonly Memory[] => {
    switch (node.kind) {
      case "group":
        return node.group.files.flatMap((file) => file.memories);
      case "file":
        return node.file.memories;
      case "memory":
        return [node.memory];
      case "citation":
        return [{ ...node.memory, citations: [node.citation] }];
    }
  });
  return [...new Set(found)];
}

/** The memories meant: the rows that were acted on, else what the cursor's line is cited by, else what a person picks. */
export async function meant(
  memories: Memories,
  node: Node | undefined,
  selected: readonly Node[] | undefined,
  title: string,
): Promise<Memory[]> {
  if (node) return memoriesOf(selected?.length ? selected : [node]);
  const all = await memories.all();
  const here = atCursor(all);
  if (here.length === 1) return here;
  const picked = await pick(here.length ? here : all, title);
  return picked ? [picked] : [];
}

function atCursor(all: readonly Memory[]): Memory[] {
  const editor = vscode.window.activeTextEditor;
  return editor ? citing(all, editor.document.uri.toString(), editor.selection.active.line + 1) : [];
}

async function pick(all: readonly Memory[], title: string): Promise<Memory | undefined> {
  if (!all.length) {
    void vscode.window.showInformationMessage("There are no memories in this workspace yet.");
    return undefined;
  }
  const ordered = grouped(all).flatMap((group) => group.files.flatMap((file) => file.memories));
  const items = ordered.map((memory) => ({
    label: headline(memory.text),
    description: `${memory.id} · ${groupOf(memory)}`,
    detail: memory.citations.map((citation) => citation.path).join(", "),
    memory,
  }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true }))?.memory;
}
