import type { Change } from "../catalog/driver.ts";
import type { Log } from "../log.ts";

/** The role in which a process opens an instance. */
export type Mode =
  /** The only process of a server. */
  | { readonly mode: "server"; readonly log: Log }
  /** The process that starts the workers of a server and admits them to the data folder. */
  | { readonly mode: "supervisor"; readonly log: Log }
  /** A process of a server. The supervisor makes its changes if it cannot write the catalog itself. */
  | { readonly mode: "worker"; readonly log: Log; readonly change: Change }
  /** A command that changes keys or accounts, with or without a running server. */
  | { readonly mode: "credentials"; readonly onError: OnError }
  /** A command that adds files, with or without a running server. */
  | { readonly mode: "import"; readonly onError: OnError }
  /**
   * A command that needs an existing instance, and reads it. `verify` and `backup` note their results in the
   * catalog, and `verify --repair` makes its changes.
   */
  | { readonly mode: "inspection"; readonly onError: OnError };

export type OnError = (message: string, cause?: unknown) => void;

type ServerMode = Extract<Mode, { readonly mode: "server" | "supervisor" }>;

/** Whether this process owns the data folder until it exits. */
export const isServer = (mode: Mode): mode is ServerMode =>
  mode.mode === "server" || mode.mode === "supervisor";

/** How a mode opens the parts of an instance. */
export interface ModeRules {
  readonly folder: "create" | "existing" | "existing, no backup";
  readonly lock: "exclusive" | "admit workers" | "join" | "none";
  /** What to do about the claim on the blobs of a shared catalog. */
  readonly disk: "claim" | "check" | "ignore";
  readonly missingBlobs: "create" | "refuse";
}

export const MODE_RULES: Readonly<Record<Mode["mode"], ModeRules>> = {
  server: { folder: "create", lock: "exclusive", disk: "claim", missingBlobs: "create" },
  supervisor: { folder: "create", lock: "admit workers", disk: "claim", missingBlobs: "create" },
  worker: { folder: "create", lock: "join", disk: "ignore", missingBlobs: "create" },
  credentials: { folder: "existing", lock: "none", disk: "ignore", missingBlobs: "refuse" },
  import: { folder: "existing, no backup", lock: "none", disk: "check", missingBlobs: "create" },
  inspection: { folder: "existing", lock: "none", disk: "check", missingBlobs: "refuse" },
};
