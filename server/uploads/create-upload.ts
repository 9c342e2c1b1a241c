import { type Authorized, findDestination } from "../domain/callers/authorize.ts";
import type { Caller } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Lifetime } from "../domain/lifetime.ts";
import { checkMaxUploadSize } from "../domain/max-upload-size.ts";
import { parseMediaPatterns } from "../domain/media-pattern.ts";
import { childKey, parseName, ROOT_KEY } from "../domain/names/name.ts";
import type { OnConflict } from "../domain/names/on-conflict.ts";
import type { Key, MetadataText, Name, Sha256, Visibility } from "../domain/records.ts";
import { signedLifetime } from "../domain/tokens/signature.ts";
import {
  createUploadToken,
  formatUploadToken,
  hashUploadSecret,
} from "../domain/tokens/upload-token.ts";
import type { BatchRecord, UploadRecord } from "../domain/uploads.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import type { UploadsDeps } from "./deps.ts";
import { mayRepeat } from "./may-repeat.ts";
import { allowedType } from "./plan-append.ts";
import { rejectTaken } from "./reject-taken.ts";
import { withoutConflict } from "./upload-faults.ts";

/** The properties that a client requests for an upload. */
export interface UploadRequest {
  readonly folder?: Key | undefined;
  readonly name?: Name | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  readonly maxSize?: number | undefined;
  readonly types?: readonly string[] | undefined;
  readonly contentType?: string | undefined;
  readonly visibility?: Visibility | undefined;
  readonly lifetime?: Lifetime | null | undefined;
  readonly onConflict?: OnConflict | undefined;
  readonly metadata?: MetadataText | null | undefined;
  readonly sha256?: Sha256 | undefined;
  /** In seconds. */
  readonly expiresIn?: number | undefined;
  /** Whether the whole file comes with the creation. */
  readonly isWhole?: boolean | undefined;
  /** The header `Upload-Metadata`, as it was sent. */
  readonly tusMetadata?: string | null | undefined;
}

export interface CreatedUpload {
  readonly upload: UploadRecord;
  /** The last segment of its URL. */
  readonly token: string;
}

/**
 * Creates an upload. Faults: "invalid"; "not_found": the folder is where the caller sees nothing;
 * "too_large"; "unsupported_media_type"; "unprocessable": the name is taken;
 * "rate_limited": the maker has too many open uploads; "no_space".
 */
export type CreateUpload = (
  caller: Authorized<"write">,
  request: UploadRequest,
  batch?: BatchRecord,
) => Promise<CreatedUpload>;

const SHORTEST = parseName("x");
const NOTHING_WRITTEN = { discard: async () => true };

export function createCreateUpload(deps: UploadsDeps): CreateUpload {
  const { catalog, storage, settings } = deps;
  const { blobIds, space } = storage;

  async function checkName(caller: Caller, upload: UploadRecord, isWhole: boolean): Promise<void> {
    const { name, folder } = upload;
    // A folder that leaves no room for any name can have no file.
    childKey(folder, name ?? SHORTEST);
    if (name !== null) allowedType(upload, name, upload.contentType);
    await rejectTaken(caller, catalog, upload, name, (taken) =>
      mayRepeat(catalog, upload, { name: taken, isWhole }),
    );
  }

  async function add(upload: UploadRecord, isWhole: boolean): Promise<void> {
    const room = Math.min(await space.room(), Number.MAX_SAFE_INTEGER);
    const maxOpenBytes = Math.max(0, room);
    const record = { ...upload, owner: blobIds.owner, isWhole };
    // From then on the upload keeps the blob from being swept.
    await storage.commit([{ id: upload.blobId, writer: NOTHING_WRITTEN }], () =>
      withoutConflict(catalog.addUpload(record, { maxOpen: deps.maxOpen, maxOpenBytes })),
    );
  }

  return async (caller, request, batch) => {
    const folder =
      batch === undefined
        ? await findDestination(caller, catalog, request.folder)
        : (request.folder ?? ROOT_KEY);
    const { maxUploadSize, maxPresignSeconds } = settings();
    const maxSize = Math.min(request.maxSize ?? maxUploadSize, maxUploadSize);
    const { size } = request;
    checkMaxUploadSize(size, maxSize);
    if (request.name === undefined && (size === 0 || request.isWhole === true)) {
      throw new Fault("invalid", "The file is complete with this request, so it needs a name.");
    }
    await storage.quotas.admit({
      folder: batch?.folder ?? folder,
      bytes: (size ?? 0) + (batch?.bytes ?? 0),
      files: 1 + (batch?.files ?? 0),
      ...(batch === undefined && request.onConflict === "replace"
        ? { replaces: request.name }
        : {}),
    });
    const types = parseMediaPatterns("types", request.types ?? []);
    const now = deps.catalog.now();
    const token = createUploadToken(uuidV7(now));
    const seconds = signedLifetime(request.expiresIn, {
      default: deps.expiryMs / 1000,
      max: Math.max(maxPresignSeconds, deps.expiryMs / 1000),
    });
    const upload: Omit<UploadRecord, "blobId"> = {
      id: token.id,
      secretHash: hashUploadSecret(token.secret),
      maker: caller.actor,
      within: caller.scope.folderIds,
      batchId: batch?.id ?? null,
      folder,
      name: request.name ?? null,
      contentType: request.contentType ?? null,
      visibility: request.visibility ?? null,
      lifetime: request.lifetime ?? null,
      metadata: request.metadata ?? null,
      onConflict: batch?.onConflict ?? request.onConflict ?? "refuse",
      expectedSha256: request.sha256 ?? null,
      length: size ?? null,
      maxSize,
      types,
      offset: 0,
      checksum: 0,
      growth: null,
      tailBlobId: null,
      tailSize: 0,
      state: "open",
      fileId: null,
      createdAt: now,
      expiresAt: now + seconds * 1000,
      tusMetadata: request.tusMetadata ?? null,
    };
    const isWhole = request.isWhole === true;
    const blobId = await blobIds.take();
    const record = { ...upload, blobId };
    try {
      await checkName(caller, record, isWhole);
    } catch (error) {
      blobIds.markDiscarded(blobId);
      throw error;
    }
    await add(record, isWhole);
    return { upload: record, token: formatUploadToken(token) };
  };
}
