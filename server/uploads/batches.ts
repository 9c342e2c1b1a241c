import type { VisitorOfLink } from "../catalog/port/batches.ts";
import { type Authorized, findDestination } from "../domain/callers/authorize.ts";
import { Fault } from "../domain/faults/fault.ts";
import { keepReplaced } from "../domain/keep-time.ts";
import type { Lifetime } from "../domain/lifetime.ts";
import type { OnConflict } from "../domain/names/on-conflict.ts";
import type { Key, Visibility } from "../domain/records.ts";
import {
  createUploadToken,
  formatUploadToken,
  hashUploadSecret,
} from "../domain/tokens/upload-token.ts";
import {
  ANSWER_MS,
  type BatchMember,
  type BatchRecord,
  type UploadRecord,
} from "../domain/uploads.ts";
import {
  type BeginUpload,
  createBeginUpload,
  type UploadDestination,
} from "../files/upload/begin-upload.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import type { CreatedUpload, CreateUpload, UploadRequest } from "./create-upload.ts";
import type { UploadsDeps } from "./deps.ts";
import type { FindCapability, Found } from "./find-capability.ts";
import { unknownBatch } from "./upload-faults.ts";
import { createFindVisitorLimits, withinLimits } from "./visitor-limits.ts";

export interface BatchRequest {
  readonly folder?: Key | undefined;
  readonly visibility?: Visibility | undefined;
  readonly lifetime?: Lifetime | null | undefined;
  readonly onConflict?: OnConflict | undefined;
}

/**
 * Files that appear together. Every operation on a token has the faults "not_found" and "gone" of
 * `FindCapability`.
 */
export interface Batches {
  /**
   * Faults: "not_found": the caller does not see the folder; "rate_limited": the caller
   * has too many open batches. `visitor`: if a link is the caller; then also those of `BatchLedger.addBatch`.
   */
  create(
    caller: Authorized<"write">,
    request: BatchRequest,
    visitor?: VisitorOfLink,
  ): Promise<{ readonly batch: BatchRecord; readonly token: string }>;
  find(token: string): Promise<BatchRecord>;
  /** The sealed members in the order in which they were added, in batches. */
  members(batch: BatchRecord): AsyncIterable<BatchMember[]>;
  /** The open uploads. */
  uploads(batch: BatchRecord): Promise<UploadRecord[]>;
  /** Files of a form become members when the session is committed. */
  beginUpload(token: string): Promise<BeginUpload<BatchMember>>;
  /** Faults: same as `CreateUpload`. */
  createUpload(token: string, request: UploadRequest): Promise<CreatedUpload>;
  /** Faults: "conflict": a name is taken, or an upload is not complete; nothing was changed. */
  commit(token: string): Promise<Commit>;
  drop(token: string): Promise<void>;
}

export interface Commit {
  readonly batch: BatchRecord;
  /** Whether this request has committed the batch. */
  readonly isNew: boolean;
}

export interface BatchesDeps extends UploadsDeps {
  readonly find: FindCapability;
  readonly createUpload: CreateUpload;
}

const PAGE = 1000;
const MAX_LISTED_UPLOADS = 1000;

export function createBatches(deps: BatchesDeps): Batches {
  const { catalog, storage, settings, find, createUpload } = deps;
  const findLimits = createFindVisitorLimits(catalog);

  async function* members({ id }: BatchRecord): AsyncGenerator<BatchMember[]> {
    let after = 0;
    for (;;) {
      const page = await catalog.batchMembers(id, after, PAGE);
      yield page;
      after = page.at(-1)?.number ?? after;
      if (page.length < PAGE) return;
    }
  }

  async function requireOpen(token: string): Promise<Found<BatchRecord>> {
    const found = await find.batch(token);
    if (found.record.state === "open") return found;
    throw new Fault("gone", "This batch is committed, so nothing can be added to it.");
  }

  async function addMembers(
    { id }: BatchRecord,
    added: readonly BatchMember[],
  ): Promise<BatchMember[]> {
    const expiresAt = catalog.now() + deps.expiryMs;
    const { owner } = storage.blobIds;
    const hasCondemned = await catalog.addToBatch({ id, members: added, owner, expiresAt });
    if (hasCondemned) void storage.removeCondemned();
    return [...added];
  }

  return {
    async create(caller, { folder, visibility, lifetime, onConflict }, visitor) {
      const now = catalog.now();
      const token = createUploadToken(uuidV7(now));
      const batch = {
        id: token.id,
        secretHash: hashUploadSecret(token.secret),
        maker: caller.actor,
        within: caller.scope.folderIds,
        folder: await findDestination(caller, catalog, folder),
        visibility: visibility ?? null,
        lifetime: lifetime ?? null,
        onConflict: onConflict ?? "refuse",
        createdAt: now,
        expiresAt: now + deps.expiryMs,
      };
      await catalog.addBatch(batch, { maxOpen: deps.maxOpen, visitor });
      const empty = { state: "open" as const, files: 0, bytes: 0, result: null };
      return { batch: { ...batch, ...empty }, token: formatUploadToken(token) };
    },
    find: async (token) => (await find.batch(token)).record,
    members,
    uploads: ({ id }) => catalog.batchUploads(id, MAX_LISTED_UPLOADS),
    async beginUpload(token) {
      const { record, caller } = await requireOpen(token);
      const limits = await findLimits(record);
      if (limits !== undefined) await catalog.keepBatch(record.id);
      const begin = createBeginUpload({
        storage,
        onReplaced: storage.onReplaced,
        settings: () => {
          const current = settings();
          const maxUploadSize = Math.min(current.maxUploadSize, limits?.maxBytes ?? Infinity);
          return { ...current, maxUploadSize };
        },
      });
      const batch: UploadDestination<BatchMember> = {
        caller,
        addFiles({ files, folder, visibility = null, lifetime = null, metadata = null }) {
          const added = files.map((file) => ({
            ...file,
            folder,
            visibility,
            lifetime,
            metadata,
            ...limits?.properties,
          }));
          return addMembers(record, added);
        },
      };
      const beginIn: BeginUpload<BatchMember> = (expectedBytes) => begin(batch, expectedBytes);
      return limits === undefined ? beginIn : withinLimits(beginIn, limits);
    },
    async createUpload(token, request) {
      const { record, caller } = await requireOpen(token);
      const limits = await findLimits(record);
      const maxSize = Math.min(request.maxSize ?? Infinity, limits?.maxBytes ?? Infinity);
      const limited = { ...request, maxSize, ...limits?.properties };
      return withoutNumbers(record, createUpload(caller, limited, record));
    },
    async commit(token) {
      const { record, caller } = await find.batch(token);
      if (record.state === "committed") return { batch: record, isNew: false };
      const committed = await withoutNumbers(
        record,
        catalog.commitBatch(caller, {
          id: record.id,
          answerUntil: catalog.now() + ANSWER_MS,
          defaultVisibility: settings().defaultVisibility,
          folder: record.folder,
          ...keepReplaced(caller, settings()),
        }),
      );
      const { replaced = 0, skipped = 0 } = committed.batch.result ?? {};
      if (replaced > 0 || skipped > 0) storage.onReplaced();
      return committed;
    },
    async drop(token) {
      const { record } = await find.batch(token);
      if (!(await catalog.removeBatch(record.id))) throw unknownBatch();
      void storage.removeCondemned();
    },
  };
}

/** Visitors of a link do not learn from a quota how much its owner stores. */
async function withoutNumbers<T>({ maker }: BatchRecord, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isHidden =
      maker.kind === "link" && error instanceof Fault && error.kind === "quota_exceeded";
    if (!isHidden) throw error;
    throw new Fault(
      "quota_exceeded",
      "There is not enough room for these files. Tell the person who asked for them.",
    );
  }
}
