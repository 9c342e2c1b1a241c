import { expect } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { type FilesFixture, openFilesFixture } from "../files.fixture.ts";
import {
  type BeginUpload,
  type CommitTarget,
  createBeginUpload,
  type UploadDestination,
  type UploadSession,
} from "./begin-upload.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import { createBlobStorage } from "./blob-storage.ts";
import { createSpaceGuard } from "./free-space.ts";
import { createUploadHashes } from "./upload-hashes.ts";

export const MAX_SIZE = 300_000;
export const MAX_FILES = 4;

/** Contents by file name. */
export type Contents = Readonly<Record<string, string | AsyncIterable<Uint8Array>>>;

/** A `FilesFixture` with uploads. */
export interface UploadFixture {
  readonly fixture: FilesFixture;
  readonly beginUpload: BeginUpload;
  /** A `BeginUpload` that keeps `reserve` bytes of the volume free, with another destination. */
  openUpload(reserve: number, destination?: Partial<UploadDestination<FileRecord>>): BeginUpload;
  /** Stores files in one session. */
  upload(contents: Contents, target?: Partial<CommitTarget>): Promise<FileRecord[]>;
  /** The keys of all files. */
  keys(): Promise<string[]>;
  /** undefined: the store has no blob of the file's size. */
  textOf(file: FileRecord | undefined): Promise<string | undefined>;
  /** Expects that closing the allocator ends every lease and removes no blob, and that uploads work. */
  expectNoLeaks(): Promise<void>;
  /** Closes the allocator, which releases the leases. */
  close(): Promise<void>;
  end(): Promise<void>;
}

export async function* chunksOf(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  // Copies, since the multipart parser takes over the memory of its chunks.
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

export async function openUploadFixture(): Promise<UploadFixture> {
  const fixture = await openFilesFixture();
  const hashes = createUploadHashes();
  let allocator: BlobIdAllocator = fixture.createAllocator();
  let beginUpload = openUpload(0);

  function openUpload(
    reserve: number,
    destination: Partial<UploadDestination<FileRecord>> = {},
  ): BeginUpload {
    const { catalog } = fixture;
    const begin = createBeginUpload({
      storage: createBlobStorage({
        blobs: fixture.blobs,
        blobIds: allocator,
        space: createSpaceGuard(fixture.blobs, () => reserve),
        hashes,
      }),
      onReplaced: () => {},
      settings: () => ({
        defaultVisibility: "public",
        maxUploadSize: MAX_SIZE,
        maxFilesPerRequest: MAX_FILES,
        trashDays: 30,
        trashDeletions: false,
        keepVersions: false,
      }),
    });
    const tree: UploadDestination<FileRecord> = {
      caller: COMMAND_EVERYWHERE,
      takenName: (folder, names) => catalog.takenName(COMMAND_EVERYWHERE, folder, names),
      addFiles: (files) => catalog.addFiles(COMMAND_EVERYWHERE, files),
    };
    return (expectedBytes) => begin({ ...tree, ...destination }, expectedBytes);
  }

  async function upload(
    contents: Contents,
    target: Partial<CommitTarget> = {},
  ): Promise<FileRecord[]> {
    const session = await beginUpload(0);
    try {
      await addAll(session, contents);
    } catch (error) {
      await session.abort();
      throw error;
    }
    return session.commit({ folder: ROOT_KEY, ...target });
  }

  return {
    fixture,
    get beginUpload() {
      return beginUpload;
    },
    openUpload,
    upload,
    async keys() {
      const page = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;
      const batches = await Array.fromAsync(
        fixture.catalog.listFiles(COMMAND_EVERYWHERE, {}, page),
      );
      return batches.flat().map(({ key }) => key);
    },
    async textOf(file) {
      const body = file && (await fixture.blobs.read(file.blobId, file.size));
      return body === undefined ? undefined : new Response(body).text();
    },
    async expectNoLeaks() {
      const stored = await fixture.stored();
      await allocator.close();
      expect(fixture.leases()).toEqual([]);
      expect(fixture.errors).toEqual([]);
      expect(await fixture.stored()).toEqual(stored);
      allocator = fixture.createAllocator();
      beginUpload = openUpload(0);
      await upload({ [`${crypto.randomUUID()}.txt`]: "content" });
    },
    close: () => allocator.close(),
    async end() {
      await allocator.close();
      hashes.close();
      await fixture.end();
    },
  };
}

async function addAll(session: UploadSession, contents: Contents): Promise<void> {
  for (const [name, content] of Object.entries(contents)) {
    const body = typeof content === "string" ? chunksOf(Buffer.from(content)) : content;
    await session.add(name, undefined, body);
  }
}
