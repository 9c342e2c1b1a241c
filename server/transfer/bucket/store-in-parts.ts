import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { BlobInspection } from "../../blobs/port.ts";
import type { ExpectedObject } from "../../catalog/port/objects.ts";
import { AUTHORIZED_COMMAND } from "../../domain/callers/authorize.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Key, Visibility } from "../../domain/records.ts";
import { sha256Of } from "../../domain/sha256.ts";
import type { MultipartService } from "../../objects/object-service.ts";
import { wholeSeconds } from "../../semantics/etag.ts";
import type { MultipartRecord, PartRecord } from "../../semantics/s3/multipart.ts";
import type { Progress } from "../progress.ts";
import { ContentMismatch, createContentCheck } from "./content-check.ts";
import { cutStream } from "./cut-stream.ts";
import { readProperties } from "./object-properties.ts";
import { scanParts } from "./scan-parts.ts";
import { type ListedObject, type SourceBucket, SourceChanged } from "./source-bucket.ts";

/** Where objects are stored in parts. */
export interface PartsDestination {
  readonly multipart: Pick<MultipartService, "create" | "putPart" | "parts" | "complete" | "abort">;
  /** The unfinished multipart uploads of imports with this key. */
  openImports(key: Key): Promise<MultipartRecord[]>;
  readonly scan: BlobInspection["scan"];
}

export interface StoreInPartsDeps {
  readonly source: SourceBucket;
  readonly destination: PartsDestination;
  /** undefined: that of the object at the source. */
  readonly visibility: Visibility | undefined;
  readonly progress: Pick<Progress, "bytes">;
}

export interface StoredInParts {
  readonly isChecked: boolean;
  /** Whether bytes of an earlier attempt were kept. */
  readonly isContinued: boolean;
  readonly losses: readonly string[];
}

const MEBIBYTE = 1024 ** 2;
/** Objects from this size on are stored in parts, so that what has arrived is kept. */
export const LARGE_BYTES = 32 * MEBIBYTE;
/** What is lost at most when an import ends early. */
const PART_BYTES = 16 * MEBIBYTE;
const MAX_PARTS = 10_000;
const PAGE = 1000;

/**
 * Stores an object as a multipart upload. One that an earlier attempt has left, of the same content with the same
 * properties, is continued; others of this key are aborted. Faults: those of the multipart service; `SourceChanged`,
 * `ContentMismatch` and S3Error.
 */
export async function storeInParts(
  deps: StoreInPartsDeps,
  listed: ListedObject,
  key: Key,
  expect: ExpectedObject,
): Promise<StoredInParts> {
  const { source, destination, progress } = deps;
  const { multipart } = destination;
  const { size } = listed;
  const head = await source.find(listed.key);
  if (head?.object.etag !== listed.etag || head.object.size !== size) {
    throw new SourceChanged(listed.key);
  }
  const { object, headers } = head;
  const { visibility } = deps;
  const request = { source, object, headers, tagHeaders: undefined, visibility };
  const { stored: properties, attributes, content, losses } = await readProperties(request);
  const partSize = partSizeOf(size);
  const count = Math.ceil(size / partSize);
  const sizeOf = (number: number): number => Math.min(partSize, size - (number - 1) * partSize);
  const wanted = { ...properties, source: stateOf(object, partSize) };

  function createDigests() {
    const check = createContentCheck(content);
    const sha256 = createHash("sha256");
    return {
      update(chunk: Uint8Array): void {
        check.update(chunk);
        sha256.update(chunk);
        progress.bytes += chunk.length;
      },
      finish: () => ({ ...check.finish(), sha256: sha256Of(sha256.digest()) }),
    };
  }

  /** The upload to continue; undefined: there is none. */
  async function findUpload(): Promise<MultipartRecord | undefined> {
    let found: MultipartRecord | undefined;
    for (const upload of await destination.openImports(key)) {
      const isSame = isDeepStrictEqual(upload.attributes, JSON.parse(JSON.stringify(wanted)));
      if (isSame && found === undefined) found = upload;
      else await abort(upload);
    }
    return found;
  }

  const abort = ({ id }: MultipartRecord): Promise<void> =>
    multipart.abort(AUTHORIZED_COMMAND, id, key).catch(() => {});

  /** The stored parts from the first on, without a gap. */
  async function keptParts({ id }: MultipartRecord): Promise<PartRecord[]> {
    const kept: PartRecord[] = [];
    for (;;) {
      const page = await multipart.parts(AUTHORIZED_COMMAND, id, key, kept.length, PAGE);
      for (const part of page.parts) {
        const number = kept.length + 1;
        if (part.number !== number || part.size !== sizeOf(number)) return kept;
        kept.push(part);
      }
      if (!page.more) return kept;
    }
  }

  const bytesBefore = progress.bytes;
  let digests = createDigests();
  let parts: PartRecord[] = [];
  let upload = await findUpload();
  if (upload !== undefined) {
    parts = await keptParts(upload);
    if (!(await scanParts(destination.scan, upload, parts, digests.update))) {
      await abort(upload);
      upload = undefined;
      progress.bytes = bytesBefore;
      digests = createDigests();
      parts = [];
    }
  }
  const isContinued = parts.length > 0;
  const current = upload ?? (await multipart.create(AUTHORIZED_COMMAND, { key, ...wanted }));
  const { id } = current;

  async function fetchRest(): Promise<void> {
    if (parts.length === count) return;
    const { chunks, close } = await source.open(listed, parts.length * partSize);
    try {
      const next = cutStream(chunks);
      while (parts.length < count) {
        const number = parts.length + 1;
        const length = sizeOf(number);
        const md5 = createHash("md5");
        async function* body(): AsyncGenerator<Uint8Array, void, void> {
          for await (const piece of next(length)) {
            md5.update(piece);
            digests.update(piece);
            yield piece;
          }
        }
        const sums = () => ({ md5: md5.digest("hex"), checksums: {} });
        const part = { id, key, number, length, body: body(), sums };
        parts.push(await multipart.putPart(AUTHORIZED_COMMAND, part));
      }
    } finally {
      await close();
    }
  }

  try {
    await fetchRest();
    const { isChecked, sha256, ...found } = digests.finish();
    await multipart.complete(AUTHORIZED_COMMAND, {
      ...{ id, key, parts, expect, sha256 },
      attributes: { ...found.attributes, ...attributes },
    });
    return { isChecked, isContinued, losses };
  } catch (error) {
    if (error instanceof S3Fault && error.s3Code === "NoSuchUpload") {
      throw new Fault("conflict", "another import has stored it meanwhile", { cause: error });
    }
    if (isFinal(error)) await abort(current);
    throw error;
  }
}

/** What the bytes depend on: they are continued only while the object is the same. */
const stateOf = ({ etag, modifiedAt }: ListedObject, partSize: number): string =>
  `"${etag}" ${wholeSeconds(modifiedAt)} ${partSize}`;

/** Whether another attempt would not continue. */
const isFinal = (error: unknown): boolean =>
  error instanceof SourceChanged ||
  error instanceof ContentMismatch ||
  (error instanceof Fault &&
    ["conflict", "invalid", "precondition_failed", "too_large"].includes(error.kind));

const partSizeOf = (size: number): number =>
  Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MEBIBYTE) * MEBIBYTE);
