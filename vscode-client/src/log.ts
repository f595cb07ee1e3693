import * as vscode from "vscode";

/** The three channels: what the extension does, what the server says, and the protocol if it is traced. */
export class Log implements vscode.Disposable {
  readonly client = vscode.window.createOutputChannel("StillTrue", { log: true });
  readonly server = vscode.window.createOutputChannel("StillTrue Language Server", { log: true });
  private traceChannel: vscode.LogOutputChannel | undefined;

  /** The channel of the protocol, made on first use; it is written to whatever its log level is. */
  trace(): vscode.LogOutputChannel {
    const channel = (this.traceChannel ??= vscode.window.createOutputChannel("StillTrue Protocol", { log: true }));
    return new Proxy(channel, {
      get(target, name): unknown {
        if (name === "logLevel") return vscode.LogLevel.Trace;
        if (name === "trace") return (message: string) => target.info(message);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  dispose(): void {
    this.client.dispose();
    this.server.dispose();
    this.traceChannel?.dispose();
  }
}

/** A line of the server's standard error, at the level that it names. */
export function logServerLine(channel: vscode.LogOutputChannel, line: string): void {
  const level = /^\S+ \S+ stilltrue \S+ \[\d+\] (\w+)/.exec(line)?.[1];
  if (level === "DEBUG") channel.debug(line);
  else if (level === "INFO") channel.info(line);
  else if (level === "WARNING") channel.warn(line);
  else channel.error(line);
}
