import * as vscode from "vscode";

import { SERVER, type ListAnswer, type Memory } from "./protocol.ts";
import type { Server } from "./server.ts";

/** The memories of the workspace as last heard, asked for anew only while somebody looks. */
export class Memories implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;
  private current: readonly Memory[] = [];
  private stale = true;
  private asking: Promise<void> | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.subscription = server.onDidChange(() => {
      this.stale = true;
      this.changed.fire();
    });
  }

  /** The memories as they are now; while the server is started anew, as they were. */
  async all(): Promise<readonly Memory[]> {
    while (this.stale && this.server.isRunning()) {
      this.asking ??= this.ask().finally(() => (this.asking = undefined));
      await this.asking;
    }
    return this.server.isRunning() || this.server.state === "starting" ? this.current : [];
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async ask(): Promise<void> {
    this.stale = false;
    const answer = await this.server.run<ListAnswer>(SERVER.list, {});
    this.current = (answer?.memories ?? []).map(inEditorWords);
  }
}

/**
 * A memory as the tree takes it: uris as the editor spells them, which compares them as text.
 *
 * A citation of a commit has no file: it stands under its repository, by its own name.
 */
function inEditorWords(memory: Memory): Memory {
  const spelled = (uri: string): string => vscode.Uri.parse(uri).toString();
  const citations = memory.citations.map((citation) => ({
    ...citation,
    uri: spelled(citation.uri ?? memory.repository),
    path: citation.path ?? `${citation.kind} ${citation.id}`,
  }));
  return { ...memory, repository: spelled(memory.repository), citations };
}
