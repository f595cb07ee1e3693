import * as vscode from "vscode";

import { grouped, headline, type FileOfMemories, type Group, type GroupName } from "./groups.ts";
import type { Memories } from "./memories.ts";
import type { Citation, Memory } from "./protocol.ts";
import type { Server } from "./server.ts";
import { contextOf } from "./rows.ts";

export const VIEW = "stilltrue.memories";

export type Node =
  | { readonly kind: "group"; readonly group: Group }
  | { readonly kind: "file"; readonly file: FileOfMemories; readonly group: GroupName }
  | { readonly kind: "memory"; readonly memory: Memory; readonly group: GroupName }
  | { readonly kind: "citation"; readonly memory: Memory; readonly citation: Citation; readonly group: GroupName };

const ICONS: Record<GroupName, vscode.ThemeIcon> = {
  stale: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
  cosmetic: new vscode.ThemeIcon("whitespace"),
  unknown: new vscode.ThemeIcon("question"),
  snoozed: new vscode.ThemeIcon("bell-slash"),
  fresh: new vscode.ThemeIcon("pass"),
};

/** The view **Memories**: by verdict, then by file, worst first. */
export class MemoryTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscriptions: vscode.Disposable[];
  private filter = "";
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<Node>;

  constructor(
    private readonly memories: Memories,
    private readonly server: Server,
  ) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.subscriptions = [this.view, this.changed, memories.onDidChange(() => this.refresh())];
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      const groups = grouped(await this.memories.all(), this.filter);
      this.view.message = this.server.counts?.problem ?? this.filterMessage(groups);
      return groups.map((group) => ({ kind: "group", group }));
    }
    switch (node.kind) {
      case "group":
        return node.group.files.map((file) => ({ kind: "file", file, group: node.group.name }));
      case "file":
        return node.file.memories.map((memory) => ({ kind: "memory", memory, group: node.group }));
      case "memory":
        return node.memory.citations.map((citation) => ({ ...node, kind: "citation", citation }));
      case "citation":
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "group":
        return groupItem(node.group);
      case "file":
        return fileItem(node.file, node.group);
      case "memory":
        return memoryItem(node.memory, node.group);
      case "citation":
        return citationItem(node.memory, node.citation, node.group);
    }
  }

  /** Show only memories that hold every word of `filter`; an empty one shows all. */
  setFilter(filter: string): void {
    this.filter = filter.trim();
    void vscode.commands.executeCommand("setContext", "stilltrue.filtered", this.filter !== "");
    this.refresh();
  }

  get filtered(): string {
    return this.filter;
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  private refresh(): void {
    const stale = this.server.counts?.stale ?? 0;
    this.view.badge = stale ? { value: stale, tooltip: `${stale} stale` } : undefined;
    this.changed.fire(undefined);
  }

  private filterMessage(groups: readonly Group[]): string {
    if (!this.filter) return "";
    return groups.length ? `Only memories with “${this.filter}”` : `No memory holds “${this.filter}”`;
  }
}

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

function groupItem(group: Group): vscode.TreeItem {
  const item = new vscode.TreeItem(group.label, group.name === "fresh" ? Collapsed : Expanded);
  item.id = group.name;
  item.description = String(group.count);
  item.iconPath = ICONS[group.name];
  item.contextValue = `group;${group.name};`;
  return item;
}

function fileItem(file: FileOfMemories, group: GroupName): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.Uri.parse(file.uri), Expanded);
  item.id = `${group} ${file.uri}`;
  item.label = file.path.split("/").at(-1) || file.uri;
  item.description = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : "";
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = `file;${group};`;
  return item;
}

function memoryItem(memory: Memory, group: GroupName): vscode.TreeItem {
  const item = new vscode.TreeItem(headline(memory.text), memory.citations.length > 1 ? Collapsed : None);
  item.id = `${group} ${memory.uid}`;
  item.description = memory.snoozed ? `${memory.id} · ${memory.snoozed}` : memory.id;
  item.tooltip = plain(`${memory.text}\n\n${memory.id}: ${memory.reason}`);
  item.contextValue = contextOf(memory, group);
  item.accessibilityInformation = { label: `${memory.id}, ${group}: ${headline(memory.text)}` };
  item.command = revealCommand({ kind: "memory", memory, group });
  return item;
}

function citationItem(memory: Memory, citation: Citation, group: GroupName): vscode.TreeItem {
  const lines = citation.startLine === null ? "" : `:${citation.startLine}-${citation.endLine ?? citation.startLine}`;
  const item = new vscode.TreeItem(`${citation.path}${lines}`, None);
  item.id = `${group} ${memory.uid} ${citation.uid}`;
  item.description = citation.verdict;
  item.tooltip = plain(citation.reason);
  item.contextValue = contextOf({ ...memory, citations: [citation] }, group, "citation");
  item.command = revealCommand({ kind: "citation", memory, citation, group });
  return item;
}

function revealCommand(node: Node): vscode.Command {
  return { command: "stilltrue.memory.reveal", title: "Reveal the Cited Lines", arguments: [node] };
}

/** Text of a memory is data: no link of it may work, no markup of it may show. */
function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}
