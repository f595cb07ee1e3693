import * as fs from "node:fs";
import * as vscode from "vscode";

import { surroundings } from "./environment.ts";
import { storeFile, userConfigFile } from "./location.ts";

const INTERVAL = 5_000;

/** Whether there may be memories: a store, or a configuration that may name one. Nothing is made by looking. */
export function mayHaveMemories(): boolean {
  const around = surroundings();
  const store = storeFile(around);
  return store === undefined || fs.existsSync(store) || fs.existsSync(userConfigFile(around));
}

/** Call `wake` once, when a first store or configuration appears. */
export function whenMemoriesAppear(wake: () => void): vscode.Disposable {
  const around = surroundings();
  const watched = [storeFile(around), userConfigFile(around)].filter((file) => file !== undefined);
  const stop = (): void => {
    for (const file of watched) fs.unwatchFile(file, look);
  };
  const look = (now: fs.Stats): void => {
    if (now.mtimeMs === 0) return;
    stop();
    wake();
  };
  for (const file of watched) fs.watchFile(file, { interval: INTERVAL, persistent: false }, look);
  return new vscode.Disposable(stop);
}
