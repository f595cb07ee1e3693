import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as vscode from "vscode";

import { commandFrom, namesOnPath, type Candidate, type Probe } from "./interpreter.ts";
import type { Surroundings } from "./location.ts";
import { findProgram } from "./programs.ts";
import { expand } from "./variables.ts";

const PROBE_TIMEOUT = 10_000;
const EXTENSION_TIMEOUT = 5_000;
const ASK_VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])))";

/** The person's machine, as the server would see it. */
export function surroundings(): Surroundings {
  return { platform: process.platform, home: os.homedir(), environment: process.env };
}

/** A command from a setting, with its variables replaced; empty where nothing is set. */
export function commandSetting(name: "interpreter" | "path"): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: uri.fsPath }));
  const known = { home: os.homedir(), folders, environment: process.env };
  const written = vscode.workspace.getConfiguration("stilltrue").get<unknown>(name);
  return commandFrom(written).map((part) => expand(part, known));
}

/**
 * What may run the server, best first.
 *
 * A named interpreter is the only candidate: whoever names one wants to hear that it does not fit. What other
 * extensions name may come from the workspace, so they are not asked before it is trusted.
 */
export async function* candidates(): AsyncGenerator<Candidate> {
  const named = commandSetting("interpreter");
  if (named.length) {
    yield { command: named, source: "the setting stilltrue.interpreter" };
    return;
  }
  if (vscode.workspace.isTrusted) {
    for (const ask of [fromEnvironmentsExtension, fromPythonExtension]) {
      const found = await withTimeout(ask().catch(() => undefined));
      if (found) yield found;
    }
  }
  const search = { platform: process.platform, environment: process.env, isFile };
  for (const [name, ...rest] of namesOnPath(process.platform)) {
    const program = name && findProgram(name, search);
    if (program) yield { command: [program, ...rest], source: "PATH" };
  }
}

/** Ask a Python for its version. */
export const probe: Probe = (command) =>
  new Promise((resolve) => {
    const [program = "", ...rest] = command;
    const child = spawn(program, [...rest, "-I", "-c", ASK_VERSION], {
      cwd: os.homedir(),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PROBE_TIMEOUT,
      windowsHide: true,
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    child.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ problem: error.code === "ENOENT" ? "no such program" : error.message }),
    );
    child.on("close", (code, signal) => {
      if (code === 0) resolve({ version: output.trim() });
      else resolve({ problem: errors.trim().split("\n")[0] || `it ended with ${signal ?? code}` });
    });
  });

interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
}

async function fromEnvironmentsExtension(): Promise<Candidate | undefined> {
  const extension = vscode.extensions.getExtension<EnvironmentsApi>("ms-python.vscode-python-envs");
  const found = await (await extension?.activate())?.getEnvironment(firstFolder());
  const executable = found?.execInfo?.run?.executable;
  return executable ? { command: [executable], source: "the Python Environments extension" } : undefined;
}

interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): unknown;
    resolveEnvironment(path: unknown): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
  };
}

async function fromPythonExtension(): Promise<Candidate | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  const environments = (await extension?.activate())?.environments;
  const found = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath(firstFolder()));
  const executable = found?.executable?.uri?.fsPath;
  return executable ? { command: [executable], source: "the Python extension" } : undefined;
}

function firstFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}

function withTimeout<T>(asked: Promise<T>): Promise<T | undefined> {
  return Promise.race([
    asked,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), EXTENSION_TIMEOUT).unref()),
  ]);
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
