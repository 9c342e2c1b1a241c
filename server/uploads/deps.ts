import type { BlobInspection, Blobs, GrowingBlobs } from "../blobs/port.ts";
import type { BatchLedger } from "../catalog/port/batches.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { LinkLedger } from "../catalog/port/links.ts";
import type { UploadLedger } from "../catalog/port/uploads.ts";
import type { Actor } from "../domain/activity.ts";
import type { PlacedScope } from "../domain/callers/scope.ts";
import type { UploadStorage } from "../files/files.ts";
import type { UploadSettings } from "../files/upload/begin-upload.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";

/** What the service of resumable uploads depends on. */
export interface UploadsDeps {
  readonly catalog: UploadLedger &
    BatchLedger &
    Pick<CatalogClock, "now"> &
    Pick<FileTree, "fileById" | "fileByKey" | "folderByKey" | "takenName" | "topFolder"> &
    Pick<LinkLedger, "linkById">;
  readonly blobs: Blobs & GrowingBlobs & Pick<BlobInspection, "scan">;
  readonly storage: UploadStorage;
  /** What a maker may do now; undefined: the key, account or link no longer exists, or has ended. */
  readonly scopesOf: (maker: Actor) => MaybePromise<readonly PlacedScope[]>;
  readonly settings: () => UploadSettings & { readonly maxPresignSeconds: number };
  /** How long an open upload or batch stays without progress, in milliseconds. */
  readonly expiryMs: number;
  /** True if this process is the only writer of uploads in this catalog. */
  readonly isOnlyProcess: boolean;
  /** The most open uploads, and the most open batches, of one maker. */
  readonly maxOpen: number;
  /** Called for failures in the background. */
  readonly onError: (message: string, cause: unknown) => void;
}
