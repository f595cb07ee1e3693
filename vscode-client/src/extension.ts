import * as vscode from "vscode";

import { mayHaveMemories, whenMemoriesAppear } from "./awakening.ts";
import { registerCommands } from "./commands.ts";
import { affects } from "./configuration.ts";
import { Log } from "./log.ts";
import { Memories } from "./memories.ts";
import { createMiddleware } from "./middleware.ts";
import { Server } from "./server.ts";
import { RESTARTING, serverSettings } from "./settings.ts";
import { createStatus } from "./status.ts";
import { MemoryTree } from "./tree.ts";
import { Views } from "./views.ts";

let running: Server | undefined;

/** Build the parts, and start the server if there may be memories; else wait until there are, or a command is used. */
export function activate(context: vscode.ExtensionContext): void {
  const settingNames = serverSettings(context.extension.packageJSON);
  const log = new Log();
  const views = new Views();
  const server = new Server(context, log, settingNames, createMiddleware(views, settingNames));
  const memories = new Memories(server);
  const tree = new MemoryTree(memories, server);
  running = server;
  context.subscriptions.push(
    log,
    views,
    memories,
    tree,
    createStatus(server),
    registerCommands({ context, log, server, memories, tree, views, settingNames }),
    vscode.workspace.onDidChangeConfiguration((event) => followSettings(event, server, settingNames)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => restartUnlessAsleep(server, "the workspace is trusted now")),
  );
  if (mayHaveMemories()) void server.restart("there may be memories");
  else {
    void vscode.commands.executeCommand("setContext", "stilltrue.state", server.state);
    log.client.info("no memories yet: the server starts with the first one, or with the first command");
    context.subscriptions.push(
      whenMemoriesAppear(() => {
        // a command of this window may have started the server, and made what appeared
        if (server.state === "asleep") void server.restart("a first memory was recorded");
      }),
    );
  }
}

/** Stop the server, and wait for it. */
export async function deactivate(): Promise<void> {
  await running?.dispose();
  running = undefined;
}

function followSettings(event: vscode.ConfigurationChangeEvent, server: Server, names: readonly string[]): void {
  if (affects(event, RESTARTING)) restartUnlessAsleep(server, "its settings changed");
  else if (affects(event, names)) void server.sendSettings();
}

function restartUnlessAsleep(server: Server, why: string): void {
  if (server.state !== "asleep") void server.restart(why);
}
