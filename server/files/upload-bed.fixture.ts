import { expect } from "bun:test";
import { usualLimits } from "../http/multipart/limits.ts";
import { readMultipart } from "../http/multipart/read-multipart.ts";
import { readText } from "../http/multipart/read-text.ts";
import type { FileRecord } from "../rules/records.ts";
import { type Bed, openBed } from "./bed.fixture.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import { createSpaceGuard } from "./space.ts";
import { createUpload, type Upload, type UploadPart } from "./upload.ts";

export const MAX_SIZE = 300_000;
export const MAX_FILES = 4;

/** A field, or a file with its name and content. */
export type Entry = readonly [field: string, value: string] | readonly [string, string, BlobPart];

export const file = (name: string, content: BlobPart = "content"): Entry => [
  "files",
  name,
  content,
];

export async function bodyOf(
  entries: readonly Entry[],
): Promise<{ bytes: Uint8Array; type: string }> {
  const form = new FormData();
  for (const [field, value, content] of entries) {
    if (content === undefined) form.append(field, value);
    else form.append(field, new Blob([content]), value);
  }
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";
  return { bytes: new Uint8Array(await response.arrayBuffer()), type };
}

export async function* piecesOf(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  // Copies, since the parser takes its chunks over.
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** The form as a request brings it; `cut` leaves out so many bytes of its end. */
export async function* formOf(entries: readonly Entry[], cut = 0): AsyncGenerator<UploadPart> {
  const { bytes, type } = await bodyOf(entries);
  const body = piecesOf(bytes.subarray(0, bytes.length - cut));
  yield* readMultipart(body, type, usualLimits(20));
}

/** Uploads into a bed, with a desk that can be changed for a new one. */
export interface UploadBed {
  readonly bed: Bed;
  readonly upload: Upload;
  /** An upload that keeps so many bytes free. */
  openUpload(reserve: number): Upload;
  send(...entries: readonly Entry[]): Promise<FileRecord[]>;
  /** The keys of all files. */
  keys(): Promise<string[]>;
  /** The content of a file, where it is whole. */
  textOf(file: FileRecord | undefined): Promise<string | undefined>;
  /** Every id was settled: the blocks can be given back without a sweep, and a new desk goes on. */
  expectNoTrouble(): Promise<void>;
  /** Gives the blocks back. */
  close(): Promise<void>;
  end(): Promise<void>;
}

export async function openUploadBed(): Promise<UploadBed> {
  const bed = await openBed();
  let desk: BlobIdAllocator = bed.createDesk();
  let upload = openUpload(0);

  function openUpload(reserve: number): Upload {
    return createUpload({
      names: bed.catalog,
      blobs: bed.blobs,
      desk,
      space: createSpaceGuard(bed.blobs, () => reserve),
      readText: (part) => readText(part, 1000),
      onReplaced: () => {},
      settings: () => ({
        defaultVisibility: "public",
        maxUploadSize: MAX_SIZE,
        maxFilesPerRequest: MAX_FILES,
      }),
    });
  }

  const send = (...entries: readonly Entry[]) => upload(formOf(entries), 0);

  return {
    bed,
    get upload() {
      return upload;
    },
    openUpload,
    send,
    async keys() {
      const page = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;
      const batches = await Array.fromAsync(bed.catalog.listFiles({}, page));
      return batches.flat().map(({ key }) => key);
    },
    async textOf(file) {
      const body = file && (await bed.blobs.read(file.blobId, file.size));
      return body === undefined ? undefined : new Response(body).text();
    },
    async expectNoTrouble() {
      const stored = await bed.stored();
      await desk.close();
      expect(bed.leases()).toEqual([]);
      expect(bed.errors).toEqual([]);
      expect(await bed.stored()).toEqual(stored);
      desk = bed.createDesk();
      upload = openUpload(0);
      await send(["folder", "after"], file(`${crypto.randomUUID()}.txt`));
    },
    close: () => desk.close(),
    async end() {
      await desk.close();
      await bed.end();
    },
  };
}
