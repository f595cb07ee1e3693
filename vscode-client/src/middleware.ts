import * as vscode from "vscode";
import type { ConfigurationParams, Middleware } from "vscode-languageclient";

import { serverValues } from "./configuration.ts";
import { SERVER, type ChangeAnswer, type HistoryAnswer } from "./protocol.ts";
import type { Views } from "./views.ts";

/** What is done with the server's requests and answers on their way: views are shown here, settings are the written ones. */
export function createMiddleware(views: Views, settingNames: readonly string[]): Middleware {
  return {
    async executeCommand(command, given, next) {
      const answer: unknown = await next(command, given);
      if (isAnswer(answer) && command === SERVER.showChange) await views.showChange(answer as ChangeAnswer);
      if (isAnswer(answer) && command === SERVER.showHistory) await views.showHistory(answer as HistoryAnswer);
      return answer;
    },
    workspace: {
      configuration: (params: ConfigurationParams) =>
        params.items.map(({ section, scopeUri }) =>
          section === "stilltrue"
            ? serverValues(settingNames, scopeUri ? vscode.Uri.parse(scopeUri) : undefined)
            : null,
        ),
    },
  };
}

function isAnswer(value: unknown): value is { ok: true } {
  return typeof value === "object" && value !== null && "ok" in value && value.ok === true;
}
