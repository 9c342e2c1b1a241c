import { type Authorized, authorize, mayDo, topKeyOf } from "../domain/callers/authorize.ts";
import { callerWith, SYSTEM } from "../domain/callers/caller.ts";
import { allows, mayReach } from "../domain/callers/scope.ts";
import type { Fault } from "../domain/faults/fault.ts";
import { childKey, splitKey } from "../domain/names/name.ts";
import type { FileRecord, Key, Millis, Sha256 } from "../domain/records.ts";
import { isUploadSecret, parseUploadToken } from "../domain/tokens/upload-token.ts";
import type { BatchRecord, UploadRecord } from "../domain/uploads.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { UploadsDeps } from "./deps.ts";
import { expiredBatch, expiredUpload, unknownBatch, unknownUpload } from "./upload-faults.ts";

/**
 * The maker of an upload or batch, who still has the action of the operation that made it. The operations on their URLs
 * have no row that names an action.
 */
type Uploader = Authorized<"write">;

/** Something that has a URL with a secret, and its maker, who still may upload. */
export interface Found<Record> {
  readonly record: Record;
  readonly caller: Uploader;
}

export interface UploadedFile {
  /** undefined: it was skipped, is in a batch, was deleted, or was moved to where its maker may not act. */
  readonly file: FileRecord | undefined;
  /** undefined also if the file has other content by now. */
  readonly sha256: Sha256 | undefined;
}

/**
 * Finds what a token is for. Faults: "not_found": nothing, or the secret is wrong, or the maker no
 * longer may upload there; "gone": it has expired.
 */
export interface FindCapability {
  upload(token: string): Promise<Found<UploadRecord>>;
  /** As `upload`, but also finds an expired upload of a batch, which keeps the batch from its commit. */
  uploadToCancel(token: string): Promise<Found<UploadRecord>>;
  batch(token: string): Promise<Found<BatchRecord>>;
  /** The maker of an upload, with what it may do now. Fault "not_found": it may no longer upload there. */
  makerOf(upload: UploadRecord): Promise<Uploader>;
  /** The file of a finished upload, as far as the URL may tell. */
  fileOf(found: Found<UploadRecord>): Promise<UploadedFile>;
}

export function createFindCapability({
  catalog,
  scopesOf,
}: Pick<UploadsDeps, "catalog" | "scopesOf">): FindCapability {
  const isExpired = ({ expiresAt }: { readonly expiresAt: Millis }): boolean =>
    expiresAt <= catalog.now();

  async function find<R extends UploadRecord | BatchRecord>(
    text: string,
    byId: (id: string) => MaybePromise<R | undefined>,
    faults: { readonly unknown: () => Fault; readonly expired: () => Fault },
    isGone: (record: R) => boolean = isExpired,
  ): Promise<R> {
    const token = parseUploadToken(text);
    const record = token && (await byId(token.id));
    if (record === undefined || !isUploadSecret(token?.secret ?? "", record.secretHash)) {
      throw faults.unknown();
    }
    if (isGone(record)) throw faults.expired();
    return record;
  }

  async function findUpload(
    token: string,
    isGone: (record: UploadRecord) => boolean,
  ): Promise<Found<UploadRecord>> {
    const faults = { unknown: unknownUpload, expired: expiredUpload };
    const record = await find(token, catalog.uploadById, faults, isGone);
    return { record, caller: await makerOf(record) };
  }

  /** undefined: the maker may not upload to the folder any more. */
  async function uploaderTo(
    folder: Key,
    { maker }: UploadRecord | BatchRecord,
  ): Promise<Uploader | undefined> {
    for (const scope of await scopesOf(maker)) {
      if (!mayReach(scope, folder)) continue;
      const caller = callerWith(maker, scope);
      if (await mayDo(caller, catalog, "write", folder)) return authorize(caller, "write");
    }
    return undefined;
  }

  async function makerOf(upload: UploadRecord): Promise<Uploader> {
    const { batchId, folder } = upload;
    if (batchId === null) {
      const caller = await uploaderTo(folder, upload);
      if (caller !== undefined) return caller;
    } else {
      const batch = await catalog.batchById(batchId);
      const found = batch && (await locate(batch));
      if (found !== undefined) return found.caller;
    }
    throw unknownUpload();
  }

  /**
   * The batch with its current folder: that of a visitor of a link follows the folder of the link.
   * undefined: the maker may not upload there any more.
   */
  async function locate(batch: BatchRecord): Promise<Found<BatchRecord> | undefined> {
    if (batch.maker.kind !== "link") {
      const caller = await uploaderTo(batch.folder, batch);
      return caller && { record: batch, caller };
    }
    const [scope] = await scopesOf(batch.maker);
    if (scope === undefined || !allows(scope, "write")) return undefined;
    const caller = authorize(callerWith(batch.maker, scope), "write");
    const top = await topKeyOf(caller, catalog);
    const name = splitKey(batch.folder)?.name;
    if (top === undefined || name === undefined) return undefined;
    return { record: { ...batch, folder: childKey(top, name) }, caller };
  }

  return {
    makerOf,
    async fileOf({ record, caller }) {
      const { fileId } = record;
      const file = fileId === null ? undefined : await catalog.fileById(SYSTEM, fileId);
      if (file === undefined || !(await mayDo(caller, catalog, "write", file.key))) return NO_FILE;
      const hasItsContent = file.blobId === record.blobId;
      return { file, sha256: (hasItsContent ? file.sha256 : null) ?? undefined };
    },
    upload: (token) => findUpload(token, isExpired),
    uploadToCancel: (token) =>
      findUpload(token, (record) => record.batchId === null && isExpired(record)),
    async batch(token) {
      const record = await find(token, catalog.batchById, {
        unknown: unknownBatch,
        expired: expiredBatch,
      });
      const found = await locate(record);
      if (found === undefined) throw unknownBatch();
      return found;
    },
  };
}

const NO_FILE: UploadedFile = { file: undefined, sha256: undefined };
