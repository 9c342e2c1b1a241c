import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { keyActions } from "../../contract/key-actions.ts";
import type { BlobInspection, Blobs } from "../blobs/port.ts";
import { type Authorized, authorize } from "../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE, callerWith } from "../domain/callers/caller.ts";
import type { Scope } from "../domain/callers/scope.ts";
import type { S3Fault } from "../domain/faults/s3-fault.ts";
import { parseKey } from "../domain/names/name.ts";
import type { FileRecord, KeyAction } from "../domain/records.ts";
import { createSigner } from "../domain/tokens/signature.ts";
import { COMMAND } from "../domain/tree-change.ts";
import { openFilesFixture } from "../files/files.fixture.ts";
import { createFiles } from "../files/files.ts";
import type { S3Attributes } from "../semantics/s3/attributes.ts";
import type { PartRecord } from "../semantics/s3/multipart.ts";
import type { ObjectToCommit, ObjectToStore } from "./object-service.ts";
import { createObjects } from "./objects.ts";

export const MAX_OPEN_UPLOADS = 20;

/** A caller that may do everything. */
export const EVERYONE = authorize(COMMAND_EVERYWHERE, keyActions);

/** The service on a catalog in SQLite, with a bucket named "bucket". */
export async function openObjectsFixture(store?: Blobs & BlobInspection) {
  const fixture = await openFilesFixture();
  const { catalog, onError } = fixture;
  const blobs = store ?? fixture.blobs;
  const settings = () => ({
    defaultVisibility: "public" as const,
    maxUploadSize: 64 * 1024 ** 2,
    maxFilesPerRequest: 10,
    minFreeSpace: 0,
    trashDays: 30,
    trashDeletions: false,
    keepVersions: false,
    defaultPresignSeconds: 60,
    maxPresignSeconds: 60,
  });
  const files = createFiles({
    catalog,
    blobs,
    settings,
    onError,
    lostRecords: fixture.lostRecords,
    signer: createSigner("secret"),
    owner: crypto.randomUUID(),
    onDamage: () => {},
  });
  const objects = createObjects({
    catalog,
    blobs,
    storage: files.storage,
    settings,
    onError,
    maxOpenUploads: MAX_OPEN_UPLOADS,
  });
  const service = objects;
  await catalog.createFolder(EVERYONE, parseKey("bucket"));

  const self = {
    fixture,
    catalog,
    blobs,
    files,
    objects,
    service,
    async callerWith<A extends KeyAction>(
      actions: readonly A[],
      folder?: string,
    ): Promise<Authorized<A>> {
      const found =
        folder === undefined ? undefined : await catalog.folderByKey(EVERYONE, parseKey(folder));
      const scope: Scope = {
        actions: new Set<KeyAction>(actions),
        folderIds: found === undefined ? [] : [found.id],
      };
      return authorize(callerWith(COMMAND, scope), actions);
    },
    async put(
      path: string,
      content: string | Buffer,
      wanted: Partial<ObjectToStore & ObjectToCommit> = {},
      caller: Authorized<"write"> = EVERYONE,
    ): Promise<FileRecord> {
      const bytes = Buffer.from(content);
      const object = {
        key: parseKey(path),
        mimeType: "text/plain",
        metadata: null,
        visibility: "private" as const,
        length: bytes.length,
        body: chunksOf(bytes),
        attributes: attributesOf(bytes),
        ...wanted,
      };
      const blob = await service.store(caller, object);
      return service.put(caller, { ...object, blob });
    },
    async textOf(path: string): Promise<string | undefined> {
      return (await self.bytesOf(path))?.toString();
    },
    async bytesOf(path: string): Promise<Buffer | undefined> {
      const file = await service.find(EVERYONE, parseKey(path));
      if (file === undefined) return undefined;
      const body = await blobs.read(file.blobId, file.size);
      if (body === undefined) throw new Error(`The bytes of ${path} are missing.`);
      return Buffer.from(await new Response(body).arrayBuffer());
    },
    async keys(): Promise<string[]> {
      const list = await service.list(EVERYONE, {
        bucket: parseKey("bucket"),
        prefix: "",
        after: "",
        limit: 1000,
      });
      return list.entries.map((entry) =>
        entry.kind === "object"
          ? entry.file.key
          : entry.kind === "folder"
            ? `${entry.folder.key}/`
            : "",
      );
    },
    create: (path: string) =>
      service.multipart.create(EVERYONE, {
        key: parseKey(path),
        mimeType: "a/b",
        metadata: null,
        visibility: "private",
      }),
    async putPart(id: string, path: string, number: number, bytes: Buffer, wanted = {}) {
      const stored = await service.multipart.storePart(EVERYONE, {
        id,
        key: parseKey(path),
        number,
        length: bytes.length,
        body: chunksOf(bytes),
        ...wanted,
      });
      const md5 = md5Of(bytes);
      return service.multipart.putPart(EVERYONE, { stored, md5, checksums: {} });
    },
    complete: (id: string, path: string, parts: readonly PartRecord[]) =>
      service.multipart.complete(EVERYONE, {
        id,
        key: parseKey(path),
        parts,
        attributes: {
          etag: `${md5Of(Buffer.from(parts.map(({ md5 }) => md5).join()))}-${parts.length}`,
        },
      }),
    /** The blobs of the store are those of the catalog's records. */
    async expectNoLeaks(): Promise<void> {
      await objects.close();
      await files.storage.removeCondemned();
      await files.close();
      const records = await catalog.blobsAfter(-1, 1000);
      const stored = await Array.fromAsync(blobs.listBlocks(), (block) => blobs.listBlock(block));
      expect(stored.flat().sort()).toEqual(records.map(({ blobId }) => blobId).sort());
      expect(fixture.errors).toEqual([]);
    },
    async end() {
      await objects.close();
      await files.close();
      await fixture.end();
    },
  };
  return self;
}

export type ObjectsFixture = Awaited<ReturnType<typeof openObjectsFixture>>;

export const md5Of = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

export const attributesOf = (bytes: Uint8Array): S3Attributes => ({ etag: md5Of(bytes) });

export async function* chunksOf(bytes: Uint8Array, size = 70_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function* failing(bytes: Uint8Array, error: Error): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw error;
}

/** The work is refused with this code. */
export async function expectCode(work: Promise<unknown>, s3Code: S3Fault["s3Code"]): Promise<void> {
  expect(await errorOf(work)).toMatchObject({ s3Code });
}

/** What it rejects with. `expect(…).rejects` would block the thread that the writer answers to. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
