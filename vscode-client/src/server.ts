import * as os from "node:os";
import * as path from "node:path";
import * as readline from "node:readline";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  type Executable,
  type LanguageClientOptions,
  type Middleware,
} from "vscode-languageclient/node";

import { own, serverValues } from "./configuration.ts";
import type { ServerState } from "./counts.ts";
import { Crashes } from "./crashes.ts";
import { candidates, commandSetting, probe } from "./environment.ts";
import { choose, type Choice } from "./interpreter.ts";
import { logServerLine, type Log } from "./log.ts";
import { STATUS_NOTIFICATION, type Answer, type Arguments, type Counts } from "./protocol.ts";

const LAST_WORD = 1_000;

/** Says nothing on the screen by itself: what a person must know is said once, by `Server`. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** The language server's process and the one way to start it: `restart`. */
export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly crashes = new Crashes();
  private client: QuietClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private lastLine = "";
  private lastWord = Promise.resolve();
  private disposed = false;

  readonly onDidChange = this.changed.event;
  state: ServerState = "asleep";
  counts: Counts | undefined;
  choice: Choice | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: Log,
    private readonly settingNames: readonly string[],
    private readonly middleware: Middleware,
  ) {}

  /** Stop what runs, or is being started, and start anew. Restarts are queued. */
  restart(why: string): Promise<void> {
    clearTimeout(this.retry);
    if (this.state === "starting") void this.stop();
    this.queue = this.queue
      .then(() => this.restartNow(why))
      .catch((error: unknown) => this.log.client.error(String(error)));
    return this.queue;
  }

  /** Restart because a person asked: what crashed before no longer counts. */
  restartByHand(): Promise<void> {
    this.crashes.forget();
    return this.restart("asked for");
  }

  /** Wait for the server, starting it if it does not run; false if it cannot be had. */
  async ensure(): Promise<boolean> {
    await this.queue;
    if (this.state !== "running") await this.restartByHand();
    return this.isRunning();
  }

  isRunning(): boolean {
    return this.state === "running" && this.client !== undefined;
  }

  /** Run one of the server's commands. The server has shown a message where it refuses. */
  async run<T extends Answer>(
    command: string,
    argument: Arguments,
    token?: vscode.CancellationToken,
  ): Promise<T | undefined> {
    if (!this.client || !this.isRunning()) return undefined;
    const params = { command, arguments: [argument] };
    return (await this.client.sendRequest(ExecuteCommandRequest.type, params, token)) as T | undefined;
  }

  async sendSettings(): Promise<void> {
    if (!this.client || !this.isRunning()) return;
    const settings = { stilltrue: serverValues(this.settingNames) };
    await this.client.sendNotification("workspace/didChangeConfiguration", { settings });
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.counts = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.log.client.debug(`the server did not stop as it should: ${String(error)}`);
    }
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    clearTimeout(this.retry);
    await this.queue;
    await this.stop();
    this.changed.dispose();
  }

  private async restartNow(why: string): Promise<void> {
    await this.stop();
    if (this.disposed) return;
    if (!own("enable", true)) return this.become("off");
    this.log.client.info(`starting the server: ${why}`);
    this.become("starting");
    const executable = await this.executable();
    if (!executable) return;
    await this.startClient(executable);
  }

  private async startClient(executable: Executable): Promise<void> {
    this.lastLine = "";
    this.lastWord = Promise.resolve();
    const client = new QuietClient("stilltrue", "StillTrue", executable, this.options());
    client.onNotification(STATUS_NOTIFICATION, (counts: Counts) => {
      this.counts = counts;
      this.tell();
    });
    this.client = client;
    try {
      await client.start();
      this.become("running");
    } catch (error) {
      if (this.client !== client) return;
      this.log.client.debug(String(error));
      await soon(this.lastWord);
      await this.fail(
        `StillTrue did not start: ${this.lastLine.replace(/^stilltrue: /, "") || whyNot(error, executable)}`,
      );
    }
  }

  private options(): LanguageClientOptions {
    const traced = own("trace.server", "off") !== "off";
    return {
      documentSelector: [{ scheme: "file" }, { scheme: "memory" }],
      outputChannel: this.log.server,
      ...(traced ? { traceOutputChannel: this.log.trace() } : {}),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: {
        prompts: true,
        views: true,
        status: true,
        settings: serverValues(this.settingNames),
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.onClosed(),
      },
      stdioOptions: {
        stdout: () => undefined,
        stderr: (stream, channel) => {
          const lines = readline.createInterface({ input: stream });
          this.lastWord = new Promise((resolve) => lines.once("close", resolve));
          lines.on("line", (line) => {
            this.lastLine = line.trim() || this.lastLine;
            logServerLine(channel, line);
          });
        },
      },
      diagnosticPullOptions: { onChange: true, onSave: true },
      middleware: this.middleware,
      markdown: { isTrusted: false, supportHtml: false },
    };
  }

  private onClosed(): { action: CloseAction; handled: boolean } {
    const client = this.client;
    if (client && this.state === "running" && !this.disposed) {
      this.client = undefined;
      this.counts = undefined;
      client.serverProcess?.kill();
      const delay = this.crashes.next(Date.now());
      this.log.client.warn(`the server ended by itself; ${delay === undefined ? "it is not" : "it is"} started again`);
      this.become("starting");
      if (delay === undefined) void this.fail("StillTrue stopped: its server ended five times within three minutes.");
      else this.retry = setTimeout(() => void this.restart("it ended by itself"), delay);
    }
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  /** What to run: the server that a person named, else the one that came with the extension. */
  private async executable(): Promise<Executable | undefined> {
    const level = own("logLevel", "warning");
    const options = { cwd: os.homedir() };
    const [program, ...rest] = commandSetting("path");
    if (program) {
      this.log.client.info(`running ${[program, ...rest].join(" ")} lsp, as the setting stilltrue.path has it`);
      return { command: program, args: [...rest, "lsp", "--log-level", level], options };
    }
    this.choice = await choose(candidates(), probe);
    for (const refused of this.choice.refused) this.log.client.info(`not taken: ${refused}`);
    const interpreter = this.choice.interpreter;
    if (!interpreter) {
      await this.fail(noInterpreter(this.choice), "stilltrue.interpreter");
      return undefined;
    }
    const [command = "", ...before] = interpreter.command;
    this.log.client.info(
      `taken: ${interpreter.command.join(" ")}, Python ${interpreter.version}, from ${interpreter.source}`,
    );
    const launcher = path.join(this.context.extensionPath, "bundled", "launch.py");
    return { command, args: [...before, "-I", launcher, "--log-level", level], options };
  }

  private become(state: ServerState): void {
    this.state = state;
    this.tell();
  }

  private tell(): void {
    const shown = this.isRunning() && this.counts?.problem ? "problem" : this.state;
    void vscode.commands.executeCommand("setContext", "stilltrue.state", shown);
    this.changed.fire();
  }

  /** One message, which waits for nobody. */
  private async fail(message: string, setting?: string): Promise<void> {
    await this.stop();
    this.become("failed");
    this.log.client.error(message);
    const buttons = setting ? ["Open Settings", "Show Logs"] : ["Show Logs", "Restart"];
    void vscode.window.showErrorMessage(message, ...buttons).then((chosen) => {
      if (chosen === "Open Settings") void vscode.commands.executeCommand("workbench.action.openSettings", setting);
      if (chosen === "Show Logs") void vscode.commands.executeCommand("stilltrue.showLogs");
      if (chosen === "Restart") void this.restartByHand();
    });
  }
}

/** Wait for `done`, but not for long. */
function soon(done: Promise<void>): Promise<void> {
  return Promise.race([done, new Promise<void>((resolve) => setTimeout(resolve, LAST_WORD).unref())]);
}

function noInterpreter(choice: Choice): string {
  const [first] = choice.refused;
  const why = first && choice.refused.length === 1 ? ` ${first}.` : "";
  return `StillTrue needs Python 3.11 or newer and found none.${why}`;
}

function whyNot(error: unknown, { command }: Executable): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes("ENOENT") ? `there is no program ${command}.` : message;
}
