import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { MultipartLedger } from "../catalog/port/multiparts.ts";
import type { ObjectChanges, ObjectTree } from "../catalog/port/objects.ts";
import type { UploadStorage } from "../files/files.ts";
import type { UploadSettings } from "../files/upload/begin-upload.ts";
import type { VisibleBuckets } from "./visible-buckets.ts";

/** Dependencies that the files of the service share. */
export interface SharedObjectDeps extends ObjectsDeps {
  readonly buckets: VisibleBuckets;
}

export interface ObjectsDeps {
  readonly catalog: FileTree &
    ObjectTree &
    MultipartLedger &
    ObjectChanges &
    Pick<BlobLedger, "addDigests"> &
    Pick<CatalogClock, "now">;
  readonly blobs: Blobs & BlobInspection;
  /** Shared with the other uploads. */
  readonly storage: UploadStorage;
  readonly settings: () => UploadSettings;
  /** The most open multipart uploads of each API key. */
  readonly maxOpenUploads: number;
  /** Called for failures in the background. */
  readonly onError: (message: string, cause: unknown) => void;
}
