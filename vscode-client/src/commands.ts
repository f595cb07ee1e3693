import * as vscode from "vscode";

import { meant } from "./choosing.ts";
import { summary } from "./counts.ts";
import { debugInformation } from "./debugInfo.ts";
import { groupOf } from "./groups.ts";
import { importMemories } from "./importing.ts";
import { installCommandLine } from "./installing.ts";
import type { Log } from "./log.ts";
import type { Memories } from "./memories.ts";
import { promptRemember, promptSupersede, rememberSelection } from "./prompts.ts";
import { PROMPT, SERVER, type Answer, type Arguments, type CheckAnswer, type Memory } from "./protocol.ts";
import type { Server } from "./server.ts";
import * as settling from "./settling.ts";
import { VIEW, type MemoryTree, type Node } from "./tree.ts";
import type { Views } from "./views.ts";

export interface Parts {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly server: Server;
  readonly memories: Memories;
  readonly tree: MemoryTree;
  readonly views: Views;
  readonly settingNames: readonly string[];
}

/** Everything the palette, the menus and the server's actions call. */
export function registerCommands(parts: Parts): vscode.Disposable {
  return vscode.Disposable.from(...workspaceCommands(parts), ...memoryCommands(parts), ...supportCommands(parts));
}

function workspaceCommands(parts: Parts): vscode.Disposable[] {
  const { server, memories, tree, views, log } = parts;
  const needing = withServer(parts);
  return [
    needing("stilltrue.rememberSelection", () => rememberSelection(server)),
    needing(PROMPT.remember, (argument: Arguments) => promptRemember(server, argument)),
    needing(PROMPT.supersede, (argument: Arguments) => promptSupersede(server, argument)),
    needing("stilltrue.checkWorkspace", () => checkWorkspace(server)),
    needing("stilltrue.importMemories", (file?: vscode.Uri, files?: vscode.Uri[]) =>
      importMemories(server, views, files ?? (file ? [file] : [])),
    ),
    needing("stilltrue.undoLast", async () => {
      const uri = vscode.window.activeTextEditor?.document.uri;
      await server.run<Answer>(SERVER.undo, uri?.scheme === "file" ? { uri: uri.toString() } : {});
    }),
    needing("stilltrue.reverifyCosmetic", async () => {
      const cosmetic = (await memories.all()).filter((memory) => groupOf(memory) === "cosmetic");
      if (cosmetic.length) await settling.reverify(server, cosmetic);
      else void vscode.window.showInformationMessage("No memory has changed in line ends only.");
    }),
    register("stilltrue.filterMemories", log, async () => {
      const prompt = "Show only memories with these words in text, number or path";
      const filter = await vscode.window.showInputBox({ title: "Filter memories", prompt, value: tree.filtered });
      if (filter !== undefined) tree.setFilter(filter);
    }),
    register("stilltrue.clearFilter", log, () => tree.setFilter("")),
  ];
}

function memoryCommands(parts: Parts): vscode.Disposable[] {
  const { server, memories, views } = parts;
  const needing = withServer(parts);
  const one = (name: string, title: string, act: (memory: Memory) => Promise<void>): vscode.Disposable =>
    needing(`stilltrue.memory.${name}`, async (node?: Node) => {
      const [memory] = await meant(memories, node, undefined, title);
      if (memory) await act(memory);
    });
  const many = (name: string, title: string, act: (chosen: readonly Memory[]) => Promise<void>): vscode.Disposable =>
    needing(`stilltrue.memory.${name}`, async (node?: Node, selected?: Node[]) => {
      const chosen = await meant(memories, node, selected, title);
      if (chosen.length) await act(chosen);
    });
  return [
    many("reverify", "Re-verify", (chosen) => settling.reverify(server, chosen)),
    many("retract", "Retract", (chosen) => settling.retract(server, chosen)),
    many("snooze", "Snooze", (chosen) => settling.snooze(server, chosen)),
    many("wake", "Wake", (chosen) => settling.wake(server, chosen)),
    one("supersede", "Supersede", (memory) => settling.supersede(server, memory)),
    one("repoint", "Re-point", (memory) => settling.repoint(server, memory)),
    one("showChange", "Show what changed", (memory) => settling.showChange(server, views, memory)),
    one("used", "I used", (memory) => settling.giveFeedback(server, memory, "used")),
    one("right", "This was right:", (memory) => settling.giveFeedback(server, memory, "right")),
    one("wrong", "This was wrong:", (memory) => settling.giveFeedback(server, memory, "wrong")),
    one("showHistory", "Show the history", (memory) => settling.showHistory(server, views, memory)),
    one("reveal", "Reveal the cited lines", (memory) => settling.reveal(memory)),
  ];
}

function supportCommands({ context, log, server, settingNames }: Parts): vscode.Disposable[] {
  return [
    register("stilltrue.restart", log, () => server.restartByHand()),
    register("stilltrue.showLogs", log, () => log.client.show()),
    register("stilltrue.showServerLogs", log, () => log.server.show()),
    register("stilltrue.copyDebugInformation", log, async () => {
      await vscode.env.clipboard.writeText(await debugInformation(context, server, settingNames));
      void vscode.window.showInformationMessage("The debug information is on the clipboard. It holds no memory texts.");
    }),
    register("stilltrue.installCommandLine", log, () =>
      installCommandLine(context, server.choice?.interpreter?.command ?? []),
    ),
    register("stilltrue.openWalkthrough", log, async () => {
      // the first call of a window makes the editor read the walkthroughs, and may come too early to find one
      for (const _ of ["read", "open"]) {
        await vscode.commands.executeCommand(
          "workbench.action.openWalkthrough",
          `${context.extension.id}#start`,
          false,
        );
      }
    }),
  ];
}

async function checkWorkspace(server: Server): Promise<void> {
  const location = { viewId: VIEW };
  const answer = await vscode.window.withProgress({ location }, () => server.run<CheckAnswer>(SERVER.check, {}));
  if (!answer?.ok || answer.cancelled) return;
  const chosen = await vscode.window.showInformationMessage(`Checked: ${summary(answer.counts)}.`, "Show Memories");
  if (chosen) await vscode.commands.executeCommand(`${VIEW}.focus`);
}

/** A way to register commands that start the server where it does not run. */
function withServer({ server, log }: Parts) {
  return <A extends unknown[]>(id: string, act: (...given: A) => unknown): vscode.Disposable =>
    register(id, log, async (...given: A) => ((await server.ensure()) ? act(...given) : undefined));
}

/** A command that never fails in silence and never with a stack on the screen. */
function register<A extends unknown[]>(id: string, log: Log, act: (...given: A) => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...given: A) => {
    try {
      await act(...given);
    } catch (error) {
      if (error instanceof vscode.CancellationError) return;
      log.client.error(error instanceof Error ? error : String(error));
      const message = error instanceof Error ? error.message : String(error);
      const chosen = await vscode.window.showErrorMessage(`StillTrue: ${message}`, "Show Logs");
      if (chosen) log.client.show();
    }
  });
}
