import * as vscode from "vscode";

import { statusOf } from "./counts.ts";
import type { Server } from "./server.ts";

/** The status item: how many memories are stale. It is hidden where there is nothing to tell. */
export function createStatus(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Left);
  item.name = "StillTrue";
  const render = (): void => {
    const shown = statusOf(server.state, server.counts);
    if (!shown) return item.hide();
    item.text = shown.text;
    item.tooltip = shown.tooltip;
    item.command = server.state === "failed" ? "stilltrue.showLogs" : "stilltrue.memories.focus";
    item.backgroundColor = shown.warning ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    item.show();
  };
  render();
  return vscode.Disposable.from(item, server.onDidChange(render));
}
