import type { Millis } from "../domain/records.ts";
import { type Append, createAppend } from "./append.ts";
import type { AppendResult } from "./append-result.ts";
import { type Batches, createBatches } from "./batches.ts";
import { type CreateUpload, createCreateUpload } from "./create-upload.ts";
import type { UploadsDeps } from "./deps.ts";
import { createFindCapability } from "./find-capability.ts";
import { createHashCache } from "./hash-cache.ts";
import { createHeldClaims } from "./held-claims.ts";
import { createKeptBlobs } from "./kept-blobs.ts";
import { createRunningWriters } from "./running-writers.ts";
import { unknownUpload } from "./upload-faults.ts";

/** Uploads over several requests, through URLs with a secret, and batches of files. */
export interface Uploads {
  readonly create: CreateUpload;
  /** Faults "not_found"; "gone". */
  state(token: string): Promise<Omit<AppendResult, "isCompleted">>;
  readonly append: Append;
  /** Removes the upload and its bytes; the file of a finished upload stays. Faults: same as `state`. */
  cancel(token: string): Promise<void>;
  readonly batches: Batches;
  /** Removes what has expired. */
  removeExpired(now: Millis): Promise<void>;
  close(): Promise<void>;
}

/** How many uploads and batches one transaction removes. */
const EXPIRED_AT_ONCE = 100;

export function createUploads(deps: UploadsDeps): Uploads {
  const { catalog, storage } = deps;
  const find = createFindCapability(deps);
  const writers = createRunningWriters();
  const hashCache = createHashCache();
  const heldClaims = createHeldClaims(deps);
  const keptBlobs = createKeptBlobs();
  const create = createCreateUpload(deps);

  return {
    create,
    async state(token) {
      const found = await find.upload(token);
      return { upload: found.record, ...(await find.fileOf(found)) };
    },
    append: createAppend({ ...deps, find, writers, hashCache, heldClaims, keptBlobs }),
    async cancel(token) {
      const { record } = await find.uploadToCancel(token);
      writers.stop(record.id, unknownUpload());
      await keptBlobs.drop(record.id);
      if (!(await catalog.removeUpload(record.id))) throw unknownUpload();
      hashCache.drop(record.id);
      void storage.removeCondemned();
    },
    batches: createBatches({ ...deps, find, createUpload: create }),
    async removeExpired(now) {
      while (await catalog.removeExpiredUploads(now, EXPIRED_AT_ONCE));
    },
    async close() {
      hashCache.close();
      await keptBlobs.close();
    },
  };
}
