/** What client and server say to each other beyond the protocol; the server's `requests.py` is the other half. */

export const SERVER = {
  reverify: "stilltrue.reverify",
  supersede: "stilltrue.supersede",
  repoint: "stilltrue.repoint",
  retract: "stilltrue.retract",
  remember: "stilltrue.remember",
  undo: "stilltrue.undo",
  snooze: "stilltrue.snooze",
  used: "stilltrue.used",
  right: "stilltrue.right",
  wrong: "stilltrue.wrong",
  showChange: "stilltrue.showChange",
  showHistory: "stilltrue.showHistory",
  check: "stilltrue.check",
  list: "stilltrue.list",
  import: "stilltrue.import",
  doctor: "stilltrue.doctor",
} as const;

/** What the server's actions call where a text must be asked for. */
export const PROMPT = {
  supersede: "stilltrue.prompt.supersede",
  remember: "stilltrue.prompt.remember",
} as const;

export const STATUS_NOTIFICATION = "stilltrue/status";

/** How many memories the workspace has, by verdict. */
export interface Counts {
  readonly memories: number;
  readonly fresh: number;
  readonly stale: number;
  readonly cosmetic: number;
  readonly unknown: number;
  readonly snoozed: number;
  readonly busy?: boolean;
  readonly problem?: string | null;
}

export type Freshness = "fresh" | "stale" | "unknown";

/** A citation as it was looked at: the server does nothing if it has a newer generation. */
export interface CitedRef {
  readonly uid: string;
  readonly generation: number;
}

/** Lines of a file, 1-based, both ends inclusive; null for a whole file. */
export interface Place {
  readonly uri: string;
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
}

export interface Citation extends CitedRef, Place {
  readonly id: string;
  readonly kind: string;
  readonly verdict: "fresh" | "moved" | "stale" | "unknown";
  readonly code: string | null;
  readonly reason: string;
  readonly canReverify: boolean;
  readonly targets: readonly Place[];
}

export interface Memory {
  readonly id: string;
  readonly uid: string;
  readonly text: string;
  readonly repository: string;
  readonly recordedAt: string;
  readonly freshness: Freshness;
  readonly kind?: string | null;
  readonly reason: string;
  readonly snoozed: string | null;
  readonly citations: readonly Citation[];
}

/** The one argument of every command; each needs some of it. */
export interface Arguments {
  readonly uri?: string;
  readonly citations?: readonly CitedRef[];
  readonly memory?: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly path?: string;
  readonly text?: string;
  readonly key?: string;
  readonly version?: number;
  readonly days?: number;
  readonly files?: readonly string[];
  readonly dryRun?: boolean;
}

export interface Answer {
  readonly ok: boolean;
  readonly message?: string;
}

export interface ListAnswer extends Answer {
  readonly counts: Counts;
  readonly memories: readonly Memory[];
}

export interface CheckAnswer extends Answer {
  readonly counts: Counts;
  readonly cancelled: boolean;
}

export interface ChangeAnswer extends Answer {
  readonly title: string;
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly cited: string | null;
  readonly now: string | null;
  readonly diff: string;
}

export interface HistoryAnswer extends Answer {
  readonly title: string;
  readonly text: string;
  readonly view?: string;
}

export interface Found {
  readonly text: string;
  readonly source: string;
  readonly line: number;
  readonly places: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
}

export interface Refused {
  readonly text: string;
  readonly source: string;
  readonly line: number;
  readonly why: string;
}

export interface ImportAnswer extends Answer {
  readonly imported: number;
  readonly known: number;
  readonly found: readonly Found[];
  readonly refused: readonly Refused[];
}

export interface DoctorAnswer extends Answer {
  readonly text: string;
}
