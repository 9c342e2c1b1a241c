import type { DataFolder } from "../fs/data-folder-layout.ts";
import type { BlobCopies, BlobInspection, BlobPresigner, Blobs } from "./port.ts";

/** One kind of blob store with its settings: opens the store for each purpose. */
export interface BlobDriver {
  /** Whether the blobs are in the data folder. */
  readonly isLocal: boolean;
  /**
   * Opens the store of an instance. Error: it cannot be used, belongs to another instance, or this
   * instance keeps its blobs elsewhere.
   */
  open(instance: BlobOwner): Promise<OpenBlobs>;
  /** Opens the store that an instance is moved from, read-only. Errors: same as `open`. */
  openSource(source: BlobSource): Promise<BlobInspection>;
  /**
   * Opens the store that a backup, a restore or a move fills. Error: it cannot be used, belongs to
   * another instance, or has files that are not from an earlier attempt.
   */
  openDestination(destination: BlobDestination): Promise<OpenDestination>;
}

export interface OpenBlobs {
  readonly blobs: Blobs & BlobInspection;
  /** null: clients cannot download from the store directly. */
  readonly links: BlobPresigner | null;
}

export interface BlobOwner {
  readonly folder: DataFolder;
  /** The id of the instance's root folder. */
  readonly instanceId: () => Promise<string>;
  readonly hasFiles: boolean;
  /** What to do when the instance has no store yet. */
  readonly ifMissing: "create" | "refuse";
  /** What requests do while the store does not reply: fail within seconds, or wait up to their timeout. */
  readonly ifFrozen: "fail" | "wait";
  readonly onTrouble: OnTrouble;
}

export interface BlobSource {
  readonly folder: DataFolder;
  readonly instanceId: string;
  readonly hasFiles: boolean;
  /** A folder for temporary files. */
  readonly scratch: DataFolder;
  readonly onTrouble: OnTrouble;
}

export interface BlobDestination {
  readonly folder: DataFolder;
  readonly instanceId: string;
  /** An earlier attempt has already started to publish the folder. */
  readonly isWhole: boolean;
  readonly onTrouble: OnTrouble;
}

export interface OpenDestination {
  readonly blobs: Blobs & BlobInspection;
  /** Opens the store for copying; the caller closes it. */
  open(): Promise<BlobCopies> | BlobCopies;
  /** Lets servers use the store. Idempotent. */
  publish(): Promise<void>;
}

/** Receives one line about a failure of a remote store. */
export type OnTrouble = (message: string) => void;
