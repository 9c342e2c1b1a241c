import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import { type Charset, charsetOfContent, isText, NOT_KNOWN } from "../../contract/text/charset.ts";
import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { FileRecord } from "../domain/records.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";
import { readDeliverable } from "../semantics/deliverable-metadata.ts";

/** The record with its charset, for which the content of a text is looked at once. Never rejects. */
export type FindCharset = (file: FileRecord) => MaybePromise<FileRecord>;

export interface CharsetDeps {
  readonly blobs: Pick<Blobs, "read">;
  readonly ledger: Pick<BlobLedger, "addCharset">;
  readonly onError: (message: string, cause: unknown) => void;
}

/** The most bytes of a text that are looked at: the start of a larger text decides. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REMEMBERED = 20_000;

export function createFindCharset({ blobs, ledger, onError }: CharsetDeps): FindCharset {
  /** Until the lookups return the stored one. */
  const found = createTwoGenerationCache<string, Charset>(MAX_REMEMBERED);
  const looking = new Map<string, Promise<Charset>>();
  // The header cache knows records by identity.
  const completed = new WeakMap<FileRecord, FileRecord>();

  async function look(file: FileRecord): Promise<Charset> {
    try {
      const end = Math.min(file.size, MAX_BYTES);
      const body =
        file.size === 0
          ? new Blob()
          : await blobs.read(file.blobId, file.size, { start: 0, end }, file);
      // Replaced or damaged: the response that needs the content reports it.
      if (body === undefined) return NOT_KNOWN;
      const stored = await new Response(body).bytes();
      const { contentEncoding } = readDeliverable(file.metadata);
      const bytes = await decoded(stored, contentEncoding);
      const isWhole = end === file.size;
      const charset = bytes && charsetOfContent(file.mimeType, bytes, isWhole);
      found.set(keyOf(file), charset ?? NOT_KNOWN, 1);
      remember(file, charset ?? NOT_KNOWN);
      return charset ?? NOT_KNOWN;
    } catch {
      return NOT_KNOWN;
    } finally {
      looking.delete(keyOf(file));
    }
  }

  /** No response waits for it. */
  function remember(file: FileRecord, charset: string): void {
    const { id: fileId, blobId, mimeType, metadata } = file;
    ledger.addCharset({ fileId, blobId, mimeType, metadata, charset }).catch((error: unknown) => {
      onError("The charset of a text could not be stored; it is looked at again later", error);
    });
  }

  const complete = (file: FileRecord, charset: Charset): FileRecord => {
    const record = { ...file, charset };
    completed.set(file, record);
    return record;
  };

  return (file) => {
    if (file.charset !== null || !isText(file.mimeType)) return file;
    const before = completed.get(file);
    if (before !== undefined) return before;
    const key = keyOf(file);
    const known = found.get(key);
    if (known !== undefined) return complete(file, known);
    const running = looking.get(key) ?? look(file);
    looking.set(key, running);
    return running.then((charset) => ({ ...file, charset }));
  };
}

/** All that the charset depends on. */
const keyOf = ({ blobId, mimeType, metadata }: FileRecord): string =>
  `${blobId} ${mimeType} ${readDeliverable(metadata).contentEncoding ?? ""}`;

const DECODERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** The text as browsers see it. undefined: it cannot be decoded, or is too large. */
async function decoded(
  bytes: Uint8Array,
  coding: string | undefined,
): Promise<Uint8Array | undefined> {
  if (coding === undefined) return bytes;
  const decode = Object.entries(DECODERS).find(([name]) => name === coding)?.[1];
  if (decode === undefined) return undefined;
  try {
    return await decode(bytes, { maxOutputLength: MAX_BYTES });
  } catch {
    return undefined;
  }
}
