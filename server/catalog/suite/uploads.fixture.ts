import { expect } from "bun:test";
import type { Actor } from "../../domain/activity.ts";
import { type Caller, COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { BlobId, FileRecord, NewFile } from "../../domain/records.ts";
import type { BatchMember, BatchResult, UploadRecord } from "../../domain/uploads.ts";
import { newId } from "../engine/ids.ts";
import type { BatchLimits, NewBatch } from "../port/batches.ts";
import type { Catalog } from "../port/catalog.ts";
import type { NewUpload, UploadFinish, UploadLimits, UploadProgress } from "../port/uploads.ts";
import { createUploader } from "./catalog.fixture.ts";

export const maker: Actor = { kind: "key", id: "0197-maker", name: "CI" };
export const HOUR = 3_600_000;
export const NO_LIMITS: UploadLimits = { maxOpen: 1000, maxOpenBytes: 2 ** 50 };

/** Makes uploads and batches as the service does. */
export function createUploads(catalog: Catalog, owner = "tester") {
  const uploader = createUploader(catalog, owner);

  async function newUpload(wanted: Partial<NewUpload> = {}): Promise<NewUpload> {
    const now = Date.now();
    return {
      id: newId(now),
      secretHash: "5e".repeat(32),
      maker,
      within: [],
      createdAt: now,
      expiresAt: now + HOUR,
      batchId: null,
      folder: parseKey("in/here"),
      name: parseName("a.bin"),
      contentType: null,
      visibility: null,
      lifetime: null,
      metadata: null,
      tusMetadata: null,
      onConflict: "refuse",
      expectedSha256: null,
      length: 10,
      maxSize: 1000,
      types: [],
      blobId: await uploader.takeBlob(),
      owner,
      ...wanted,
    };
  }

  const self = {
    owner,
    takeBlob: uploader.takeBlob,
    newUpload,
    async add(wanted: Partial<NewUpload> = {}, limits = NO_LIMITS): Promise<UploadRecord> {
      const upload = await newUpload(wanted);
      await catalog.addUpload(upload, limits);
      return self.find(upload.id);
    },
    async find(id: string): Promise<UploadRecord> {
      const found = await catalog.uploadById(id);
      if (found === undefined) throw new Error("There is no such upload.");
      return found;
    },
    /** The epoch of a successful claim. */
    async claim(id: string, by = owner): Promise<number> {
      const claim = await catalog.claimUpload({ id, owner: by });
      if (claim === undefined || claim === "busy") throw new Error(`The claim failed: ${claim}`);
      return claim.epoch;
    },
    save: (id: string, epoch: number, progress: Partial<UploadProgress> = {}): Promise<boolean> =>
      catalog.saveUpload({
        id,
        epoch,
        offset: 4,
        checksum: 44,
        growth: null,
        tailBlobId: null,
        tailSize: 0,
        expiresAt: Date.now() + HOUR,
        ...progress,
      }),
    fileOf: (
      upload: Pick<UploadRecord, "name" | "blobId">,
      file: Partial<NewFile> = {},
    ): NewFile => ({
      name: upload.name ?? parseName("unnamed"),
      mimeType: "application/octet-stream",
      size: 10,
      blobId: upload.blobId,
      checksum: 1010,
      sha256: null,
      ...file,
    }),
    async finish(
      upload: Pick<UploadRecord, "id" | "name" | "blobId">,
      {
        file,
        caller = COMMAND_EVERYWHERE,
        ...wanted
      }: Partial<Omit<UploadFinish, "file">> & { file?: Partial<NewFile>; caller?: Caller } = {},
    ): Promise<FileRecord | undefined> {
      const { file: finished } = await catalog.finishUpload(caller, {
        id: upload.id,
        epoch: wanted.epoch ?? (await self.claim(upload.id)),
        file: self.fileOf(upload, file),
        defaultVisibility: "public",
        answerUntil: Date.now() + HOUR,
        ...wanted,
      });
      return finished;
    },
    async addBatch(
      wanted: Partial<NewBatch> = {},
      limits: Partial<BatchLimits> = {},
    ): Promise<string> {
      const now = Date.now();
      const batch: NewBatch = {
        id: newId(now),
        secretHash: "ba".repeat(32),
        maker,
        within: [],
        createdAt: now,
        expiresAt: now + HOUR,
        folder: parseKey("site"),
        visibility: null,
        lifetime: null,
        onConflict: "refuse",
        ...wanted,
      };
      await catalog.addBatch(batch, { maxOpen: NO_LIMITS.maxOpen, ...limits });
      return batch.id;
    },
    async member(path: string, wanted: Partial<BatchMember> = {}): Promise<BatchMember> {
      const names = path.split("/");
      return {
        folder: parseKey(names.slice(0, -1).join("/")),
        name: parseName(names.at(-1) ?? ""),
        mimeType: "text/plain",
        size: 5,
        visibility: null,
        lifetime: null,
        blobId: await uploader.takeBlob(),
        checksum: 5,
        sha256: null,
        metadata: null,
        charset: null,
        ...wanted,
      };
    },
    /** Adds members with these paths; returns them. */
    async seal(
      id: string,
      paths: readonly string[],
      wanted: Partial<BatchMember> = {},
    ): Promise<BatchMember[]> {
      const members: BatchMember[] = [];
      for (const path of paths) members.push(await self.member(path, wanted));
      await catalog.addToBatch({ id, members, owner, expiresAt: Date.now() + HOUR });
      return members;
    },
    commitBatch: (id: string, caller: Caller = COMMAND_EVERYWHERE) =>
      catalog.commitBatch(caller, {
        id,
        defaultVisibility: "public",
        answerUntil: Date.now() + HOUR,
      }),
    async commit(id: string, caller: Caller = COMMAND_EVERYWHERE): Promise<BatchResult> {
      const { batch } = await self.commitBatch(id, caller);
      if (batch.result === null) throw new Error("A committed batch has no result.");
      return batch.result;
    },
  };
  return self;
}

export async function expectCondemned(catalog: Catalog, ids: readonly number[]): Promise<void> {
  const condemned: number[] = await catalog.condemnedBlobs(20_000);
  expect(condemned.toSorted()).toEqual([...ids].sort());
}

export const blobsOf = (records: readonly { readonly blobId: BlobId }[]): BlobId[] =>
  records.map(({ blobId }) => blobId);
