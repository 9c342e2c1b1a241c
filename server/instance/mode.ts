import type { Change } from "../catalog/driver.ts";
import type { Log } from "../log.ts";

/** How much of an instance a program may take for itself, and what it needs of it. */
export type Mode =
  /** The only process of a server. */
  | { readonly mode: "server"; readonly log: Log }
  /** The process that starts the workers of a server, and lets them into the data folder. */
  | { readonly mode: "supervisor"; readonly log: Log }
  /** A process of a server; the supervisor makes its changes of a catalog that it cannot write. */
  | { readonly mode: "worker"; readonly log: Log; readonly change: Change }
  /** A command that changes keys or accounts, with or without a running server. */
  | { readonly mode: "credentials"; readonly onError: OnError }
  /** A command that adds files, with or without a running server. */
  | { readonly mode: "import"; readonly onError: OnError }
  /** A command that reads everything; it creates nothing. */
  | { readonly mode: "inspection"; readonly onError: OnError };

export type OnError = (message: string, cause?: unknown) => void;

type ServerMode = Extract<Mode, { readonly mode: "server" | "supervisor" }>;

/** Whether the data folder belongs to this process until it ends. */
export const isServer = (mode: Mode): mode is ServerMode =>
  mode.mode === "server" || mode.mode === "supervisor";

/** What a mode may take and needs. */
export interface ModeRules {
  readonly folder: "create" | "create, no backup" | "existing";
  readonly lock: "exclusive" | "admit workers" | "join" | "none";
  /** On a catalog that several data folders share: which of them has the blobs. */
  readonly disk: "claim" | "check" | "ignore";
  readonly missingBlobs: "create" | "refuse";
}

export const MODE_RULES: Readonly<Record<Mode["mode"], ModeRules>> = {
  server: { folder: "create", lock: "exclusive", disk: "claim", missingBlobs: "create" },
  supervisor: { folder: "create", lock: "admit workers", disk: "claim", missingBlobs: "create" },
  worker: { folder: "create", lock: "join", disk: "ignore", missingBlobs: "create" },
  credentials: { folder: "create", lock: "none", disk: "ignore", missingBlobs: "refuse" },
  import: { folder: "create, no backup", lock: "none", disk: "check", missingBlobs: "create" },
  inspection: { folder: "existing", lock: "none", disk: "check", missingBlobs: "refuse" },
};
