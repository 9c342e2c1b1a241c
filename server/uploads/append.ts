import type { Caller } from "../domain/callers/caller.ts";
import { ConnectionClosed } from "../domain/faults/connection-closed.ts";
import { LostBytes } from "../domain/faults/fault.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import type { AppendResult } from "./append-result.ts";
import { type AnnouncedSums, type BodyChecksum, createBodyChecksum } from "./body-checksum.ts";
import type { UploadsDeps } from "./deps.ts";
import type { FindCapability, Found } from "./find-capability.ts";
import { createFinish } from "./finish.ts";
import type { HashCache } from "./hash-cache.ts";
import type { HeldClaims } from "./held-claims.ts";
import { type Ingest, openIngest } from "./ingest.ts";
import { keepClaim, lostClaim } from "./keep-claim.ts";
import type { KeptBlobs } from "./kept-blobs.ts";
import { type AppendHead, type AppendPlan, checkEnd, planAppend } from "./plan-append.ts";
import { type BodyReader, createBodyReader } from "./read-body.ts";
import { rejectTaken } from "./reject-taken.ts";
import type { RunningWriter, RunningWriters } from "./running-writers.ts";
import { endsEarly, lockedUpload, unknownUpload } from "./upload-faults.ts";

export interface AppendRequest extends AppendHead, AnnouncedSums {
  readonly body: ReadableStream<Uint8Array> | null;
  /** Whether the upload was created with this request, which brings the whole file. */
  readonly isWhole?: boolean;
}

/**
 * Appends the bytes of a request to an upload, and finishes it with the last one. Whatever ends the
 * request, the bytes that have arrived stay, unless the request has a checksum for them.
 *
 * Faults: those of `FindCapability` and `planAppend`; "locked": another request writes to the upload,
 * and was asked to stop; those of `BodyChecksum`; "too_slow"; "unprocessable": the name is taken, or the
 * file does not have its digest; `LostBytes`; "no_space"; "unavailable".
 */
export type Append = (token: string, request: AppendRequest) => Promise<AppendResult>;

export interface AppendDeps extends UploadsDeps {
  readonly find: FindCapability;
  readonly writers: RunningWriters;
  readonly hashCache: HashCache;
  readonly heldClaims: HeldClaims;
  readonly keptBlobs: KeptBlobs;
}

interface Claimed {
  readonly upload: UploadRecord;
  readonly epoch: number;
  readonly writer: RunningWriter;
  readonly caller: Caller;
  /** Whether the claim needs no release: it is released already, or held for the next request. */
  isReleased: boolean;
}

export function createAppend(deps: AppendDeps): Append {
  const { catalog, storage, find, writers, heldClaims, onError } = deps;
  const finish = createFinish(deps);

  async function append(token: string, request: AppendRequest): Promise<AppendResult> {
    const body = createBodyReader(request.body);
    try {
      return await appendBody(token, request, body);
    } finally {
      body.close();
    }
  }

  async function appendBody(
    token: string,
    request: AppendRequest,
    body: BodyReader,
  ): Promise<AppendResult> {
    const found = await find.upload(token);
    const { record, caller } = found;
    if (record.state === "finished") return repeated(found, request);
    const { id } = record;
    const writer = writers.start(id);
    try {
      const claim = await heldClaims.claim(id);
      if (claim === undefined) throw unknownUpload();
      if (claim === "busy") throw lockedUpload();
      const { upload, epoch } = claim;
      if (upload.state === "finished") return await repeated({ record: upload, caller }, request);
      const endRenewal = keepClaim(deps, { id, epoch }, writer);
      const claimed = { upload, epoch, writer, caller, isReleased: false };
      try {
        return await appendClaimed(claimed, request, body);
      } finally {
        endRenewal();
        if (!claimed.isReleased) await release(id, epoch);
      }
    } finally {
      writer.end();
    }
  }

  async function release(id: string, epoch: number): Promise<void> {
    try {
      await catalog.releaseUpload(id, epoch);
    } catch (cause) {
      onError(
        "Could not release an upload; its next writer waits until the claim has expired",
        cause,
      );
    }
  }

  /** A request to a finished upload whose response was lost. */
  async function repeated(
    found: Found<UploadRecord>,
    request: AppendRequest,
  ): Promise<AppendResult> {
    planAppend(found.record, request);
    return { upload: found.record, ...(await find.fileOf(found)), isCompleted: false };
  }

  async function appendClaimed(
    claimed: Claimed,
    request: AppendRequest,
    body: BodyReader,
  ): Promise<AppendResult> {
    const { upload, epoch, writer, caller } = claimed;
    const plan = planAppend(upload, request);
    // Otherwise a name that the sender chooses would be refused only after the last byte.
    if (upload.name === null) await rejectTaken(caller, catalog, upload, plan.name);
    if (upload.length === null && upload.batchId === null && plan.length !== null) {
      const { folder } = upload;
      await storage.quotas.admit({ folder, bytes: plan.length, replaces: plan.name });
    }
    const claim = await storage.space.admit(request.size ?? 0, upload.length !== null);
    const sum = createBodyChecksum(request);
    let ingest: Ingest | undefined;
    try {
      ingest = await openIngest(deps, {
        upload,
        epoch,
        plan,
        writer,
        savesMeanwhile: sum === null,
      });
      const isComplete = await receive(ingest, plan, { request, body, sum, writer, claim });
      if (isComplete) {
        const { isWhole = false } = request;
        const result = await finish({ upload, epoch, plan, ingest, isWhole });
        claimed.isReleased = true;
        return result;
      }
      const offset = await ingest.save();
      const { length, name } = plan;
      if (request.isLast === true && length !== null) throw endsEarly(offset, length, offset);
      const saved = { ...upload, offset, length, name };
      return { upload: saved, file: undefined, sha256: undefined, isCompleted: false };
    } catch (error) {
      if (error instanceof LostBytes) await remove(claimed, error);
      throw error;
    } finally {
      claim.release();
      claimed.isReleased ||= ingest?.isReleased === true;
      await ingest?.close();
    }
  }

  /**
   * Nothing can complete the upload any more. Faults: same as `lostClaim`: if another process has taken
   * over meanwhile, it has replaced the bytes that are missing.
   */
  async function remove({ upload, epoch }: Claimed, cause: unknown): Promise<void> {
    if (!(await catalog.renewUpload(upload.id, epoch))) throw await lostClaim(catalog, upload.id);
    onError("damage: bytes of an open upload are lost; the upload is removed", cause);
    await catalog.removeUpload(upload.id);
    void storage.removeCondemned();
  }

  return append;
}

interface Reception {
  readonly request: AppendRequest;
  readonly body: BodyReader;
  readonly sum: BodyChecksum | null;
  readonly writer: RunningWriter;
  readonly claim: { write(bytes: number): Promise<void> | undefined };
}

/** Stores the body. Returns whether the file is complete with it. */
async function receive(
  ingest: Ingest,
  plan: AppendPlan,
  { request, body, sum, writer, claim }: Reception,
): Promise<boolean> {
  try {
    for await (const chunk of body.chunks(writer.signal)) {
      checkEnd(ingest.offset + chunk.length, plan);
      await claim.write(chunk.length);
      sum?.update(chunk);
      await ingest.write(chunk);
    }
  } catch (error) {
    const isAll = ingest.offset === plan.length;
    if (sum === null && !isAll) await saveQuietly(ingest);
    // All bytes are here although the connection broke off.
    if (!isAll || request.size === null || !(error instanceof ConnectionClosed)) throw error;
  }
  sum?.check();
  return plan.endsWithBody || ingest.offset === plan.length;
}

/** After an error, which is more important: what was recorded before stays in any case. */
const saveQuietly = async (ingest: Ingest): Promise<void> => {
  await ingest.save().catch(() => {});
};
