import type { DataFolder } from "../fs/data-folder-layout.ts";
import type { BlobCopies, BlobInspection, BlobPresigner, Blobs } from "./port.ts";

/** One kind of blob store with its settings: all that differs between stores when one is opened. */
export interface BlobDriver {
  /** Whether the blobs are in the data folder, so that no other data folder has them. */
  readonly isLocal: boolean;
  /**
   * The store of an instance. Error: it cannot be used, is another instance's, or the blobs of this
   * instance are elsewhere.
   */
  open(instance: BlobOwner): Promise<OpenBlobs>;
  /** The store of an instance that is moved away. Never writes to it. Errors as of `open`. */
  openSource(source: BlobSource): Promise<BlobInspection>;
  /**
   * A store that a backup, a restore or a move fills, together with this folder. Error: it cannot be
   * used, is another instance's, or has files in it that no earlier attempt has left.
   */
  openDestination(destination: BlobDestination): Promise<OpenDestination>;
}

export interface OpenBlobs {
  readonly blobs: Blobs & BlobInspection;
  /** null: clients cannot reach the store themselves. */
  readonly links: BlobPresigner | null;
}

export interface BlobOwner {
  readonly folder: DataFolder;
  /** The id of the instance's root folder. */
  readonly instanceId: () => Promise<string>;
  readonly hasFiles: boolean;
  /** What to do when the instance has no store yet. */
  readonly ifMissing: "create" | "refuse";
  readonly onTrouble: OnTrouble;
}

export interface BlobSource {
  readonly folder: DataFolder;
  readonly instanceId: string;
  readonly hasFiles: boolean;
  /** For temporary files. */
  readonly scratch: DataFolder;
  readonly onTrouble: OnTrouble;
}

export interface BlobDestination {
  readonly folder: DataFolder;
  readonly instanceId: string;
  /** An earlier attempt has already begun to publish the folder. */
  readonly isWhole: boolean;
  readonly onTrouble: OnTrouble;
}

export interface OpenDestination {
  readonly blobs: Blobs & BlobInspection;
  /** For copying; the caller closes each. */
  open(): Promise<BlobCopies> | BlobCopies;
  /** Lets servers use the store. Idempotent. */
  publish(): Promise<void>;
}

/** Receives one line about trouble with a store on another machine. */
export type OnTrouble = (message: string) => void;
