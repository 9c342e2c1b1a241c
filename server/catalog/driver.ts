import type { DataFolder } from "../fs/data-folder-layout.ts";
import type { FreezeEvent } from "../lib/circuit-breaker.ts";
import type { Change } from "./changes.ts";
import type { MoveDestination, MoveSource } from "./move-port.ts";
import type { Catalog, Snapshot } from "./port/catalog.ts";

export type { Change };

/** One catalog engine with its settings: all that differs between engines when a catalog is opened. */
export interface CatalogDriver {
  /** Whether servers with other data folders can use the same catalog. */
  readonly isShared: boolean;
  /** Error: the data folder does not go with this engine. */
  checkFolder(folder: DataFolder): void;
  /**
   * For a data folder that was in use. Error: its catalog is missing, or has no root folder. Does
   * nothing if the catalog is elsewhere. Writes nothing.
   */
  requireRoot(folder: DataFolder): void;
  /** Error: same as `checkFolder`, or the catalog that should be in the data folder is missing. */
  requireCatalog(folder: DataFolder): void;
  /** Opens the catalog for the server that has locked the data folder. Creates a missing catalog. */
  open(folder: DataFolder, events: CatalogEvents): Promise<Catalog>;
  /** Opens the catalog for the supervisor of worker processes; `change` makes their changes. */
  openForSupervisor(
    folder: DataFolder,
    events: CatalogEvents,
  ): Promise<{ readonly catalog: Catalog; readonly change: Change }>;
  openForWorker(
    folder: DataFolder,
    change: Change,
    events: Pick<CatalogEvents, "log">,
  ): Promise<Catalog>;
  /** Opens the catalog for a command, with or without a running server. */
  openForCommand(
    folder: DataFolder,
    events: Pick<CatalogEvents, "onLostRecords">,
  ): Promise<Catalog>;
  /**
   * Opens the catalog to move the instance away. Never writes. `repair` is the command that repairs the instance, for messages.
   * Error: a server uses it, or its version is not this one.
   */
  openSource(folder: DataFolder, repair: string): Promise<MoveSource>;
  /**
   * For moving an instance here; `instanceId` is the id of its root folder. Error: another instance
   * is here already.
   */
  openDestination(folder: DataFolder, instanceId: string): Promise<PublishableDestination>;
  /** Error: only the engine's own tools can copy the catalog as of one moment. */
  snapshots(): CatalogSnapshots;
}

export interface CatalogEvents {
  readonly log: (event: CatalogEvent) => void;
  /** The catalog cannot write any more and will not again: the process should end. */
  readonly onFatal: (error: Error) => void;
  /**
   * Changes are lost, though they were acknowledged. Called before the engine opens the catalog, which
   * overwrites the traces. If it throws, the catalog is not opened.
   */
  readonly onLostRecords: (loss: CatalogLoss) => void;
}

export interface CatalogLoss {
  /** One sentence that names the file. */
  readonly reason: string;
  /** The damaged file, which is about to be overwritten. */
  readonly file: string;
}

/** What the log should say about the catalog. */
export type CatalogEvent =
  | { readonly event: "migrated"; readonly version: number }
  /** The file is so large that the start did not wait for its check. */
  | { readonly event: "not checked" }
  /** Nothing can be stored; deletions use the disk reserve. */
  | { readonly event: "disk full" }
  | { readonly event: "disk has room" }
  /** The disk of the catalog has reported an error. At most once a minute for each kind. */
  | { readonly event: "disk error"; readonly error: string; readonly file: string }
  /** The database accepts requests but does not reply, or replies again; see `CircuitBreaker`. */
  | FreezeEvent
  /** The database refuses changes. At most once a minute. */
  | { readonly event: "read-only" };

/** The new catalog of an instance that is being moved. Nobody can use it until it is published. */
export interface PublishableDestination extends MoveDestination {
  /** "published": it has this instance already, whole. */
  readonly state: "empty" | "unfinished" | "published";
  /**
   * Creates missing tables. From then on no other process can use the catalog. Error: another process
   * fills it, or has just published it.
   */
  begin(): Promise<void>;
  /** Makes it usable. Idempotent. */
  publish(): Promise<void>;
}

export interface CatalogSnapshots {
  /** Writes the catalog, as of one moment, to a file that it replaces. Fault "no_space". */
  take(folder: DataFolder, file: string): Promise<void>;
  open(file: string): Promise<Snapshot>;
}
