import { availableParallelism } from "node:os";
import type { BlobBody, Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { BlobId, FileRecord, Millis } from "../domain/records.ts";
import { noSuchFile } from "../files/find.ts";
import type { ReadBytes } from "../files/read.ts";
import { readImageHeader } from "../lib/image-header.ts";
import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";
import { writeFile } from "../runtime/files.ts";
import { createImageChild } from "./image-child.ts";
import { createJobQueue } from "./job-queue.ts";
import { createLaunchImageProcess } from "./launch-image-process.ts";
import { createRenderers } from "./renderers.ts";
import {
  type ImageFlaw,
  MAX_SOURCE_BYTES,
  maxPixelsOf,
  type Rendering,
  type RenderResult,
} from "./rendering.ts";
import type { VariantStore } from "./variant-store.ts";

/** Smaller sizes of images. */
export interface Images {
  /**
   * The image in a smaller size, kept or made now; or the record that has replaced the file meanwhile; or
   * "original", which looks right only as it is.
   * The signal ends the waiting. Faults: "invalid": this server makes none; "unsupported_media_type":
   * not a JPEG, PNG, WebP or GIF; "unprocessable": damaged, too large, or too costly; "unavailable": too
   * many images are waiting, or there is too little space; "not_found": the bytes are missing.
   */
  variant(file: FileRecord, rendering: Rendering, signal: AbortSignal): Promise<Variant>;
  /**
   * Encodes an image that is no stored file. Faults: "unsupported_media_type": not a PNG, JPEG or WebP;
   * "unprocessable": damaged, too large or too costly; "unavailable" as above.
   */
  encode(bytes: Uint8Array<ArrayBuffer>, rendering: Rendering): Promise<Uint8Array>;
  /** Removes variants of deleted blobs that were removed elsewhere. At most once an hour. */
  prune(): Promise<void>;
  close(): Promise<void>;
}

export type Variant =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly replacedBy: FileRecord }
  | "original";

export interface ImagesDeps {
  /** null: no variants are made. */
  readonly store: VariantStore | null;
  readonly withTemporaryFile: VariantStore["withTemporaryFile"];
  readonly readBytes: ReadBytes;
  readonly ledger: Pick<BlobLedger, "blobsInUse">;
  /** Processes that serve on this machine. */
  readonly processes: number;
}

/** Enough for the dimensions of nearly all images; the decoder checks the rest. */
const HEADER_BYTES = 64 * 1024;
const MAX_WAITING = 200;
const MAX_CHILDREN = 4;
const PRUNE_MS = 3_600_000;
const MAX_FLAWS = 20_000;
/** An image that failed on a busy machine gets another chance. */
const COSTLY_MS = 600_000;

const MAX_ENCODED_PIXELS = 16_000_000;

const ENCODING_FLAWS: Readonly<Record<ImageFlaw, string>> = {
  "not plain": "The image has colors or depths that cannot be encoded. Save it as an sRGB PNG.",
  "not an image": "The image is damaged.",
  "too large": "The image is too large.",
  damaged: "The image is damaged.",
  "too costly": "The image takes too much time or memory to read.",
};

type Made = Exclude<Variant, "original"> | { readonly flaw: ImageFlaw };

export function createImages(deps: ImagesDeps): Images {
  const { store, readBytes } = deps;
  // One processor is left to requests.
  const children = Math.floor((availableParallelism() - 1) / deps.processes);
  const count = Math.min(MAX_CHILDREN, Math.max(1, children));
  const renderers = createRenderers(
    Array.from({ length: count }, () => createImageChild(createLaunchImageProcess())),
  );
  // One more than children, so that the next source is read while an image is scaled.
  const queue = createJobQueue<Made>({
    concurrency: count + 1,
    maxWaiting: MAX_WAITING,
  });
  const flaws = createTwoGenerationCache<BlobId, { flaw: ImageFlaw; until: Millis }>(MAX_FLAWS);
  let prunedAt = Number.NEGATIVE_INFINITY;

  function knownFlaw({ blobId }: FileRecord): ImageFlaw | undefined {
    const known = flaws.get(blobId);
    return known !== undefined && Date.now() < known.until ? known.flaw : undefined;
  }

  async function make(kept: VariantStore, file: FileRecord, rendering: Rendering): Promise<Made> {
    const header = await readHeader(readBytes, file);
    if ("replacedBy" in header || "flaw" in header) return header;
    const { mayBeTransparent, maxPixels } = header;
    const format = rendering.format === "jpeg" && mayBeTransparent ? "png" : rendering.format;
    const result = await kept.withTemporaryFile(
      file.size,
      async (path): Promise<Made | RenderResult> => {
        const source = await readBytes(file);
        if ("replacedBy" in source) return source;
        if ((await copyTo(path, source.body)) !== file.size) throw incompleteSource();
        return renderers.render({ path, ...rendering, format, maxPixels });
      },
    );
    if (!("bytes" in result)) return result;
    const bytes = new Uint8Array(result.bytes);
    await kept.keep(file, rendering, bytes);
    return { bytes };
  }

  return {
    async variant(file, rendering, signal) {
      if (store === null) throw disabled();
      const kept = await store.read(file, rendering);
      if (kept !== undefined) return { bytes: kept };
      const flaw = knownFlaw(file);
      if (flaw !== undefined) return originalOrFault(flaw);
      const { edge, quality, format } = rendering;
      const key = [file.blobId, edge, quality, format].join(" ");
      const made = await queue.run(key, () => make(store, file, rendering), signal);
      if (!("flaw" in made)) return made;
      const until = made.flaw === "too costly" ? Date.now() + COSTLY_MS : Number.POSITIVE_INFINITY;
      flaws.set(file.blobId, { flaw: made.flaw, until }, 1);
      return originalOrFault(made.flaw);
    },
    async encode(bytes, rendering) {
      const header = readImageHeader(bytes);
      if (header === undefined || header === "incomplete" || header.format === "gif") {
        throw new Fault("unsupported_media_type", "Send a PNG, JPEG or WebP image.");
      }
      if (header.width * header.height > MAX_ENCODED_PIXELS) {
        throw new Fault(
          "unprocessable",
          `The image has more than ${MAX_ENCODED_PIXELS / 1_000_000} megapixels.`,
        );
      }
      const { format } = rendering;
      const job = {
        ...rendering,
        format: format === "jpeg" && header.mayBeTransparent ? "png" : format,
        maxPixels: MAX_ENCODED_PIXELS,
      } as const;
      const result = await deps.withTemporaryFile(bytes.length, async (path) => {
        await writeFile(path, new Blob([bytes]));
        return renderers.render({ path, ...job });
      });
      if ("bytes" in result) return new Uint8Array(result.bytes);
      throw new Fault("unprocessable", ENCODING_FLAWS[result.flaw]);
    },
    async prune() {
      if (store === null || performance.now() - prunedAt < PRUNE_MS) return;
      prunedAt = performance.now();
      await store.prune(deps.ledger.blobsInUse);
    },
    close: () => renderers.close(),
  };
}

function originalOrFault(flaw: ImageFlaw): "original" {
  if (flaw === "not plain") return "original";
  throw flawFault(flaw);
}

const megapixels = (format: "jpeg" | "png"): string =>
  `${maxPixelsOf({ format }) / 1_000_000} megapixels`;

const MESSAGES: Readonly<Record<Exclude<ImageFlaw, "not plain">, string>> = {
  "not an image":
    "This file has no smaller sizes: only JPEG, PNG, WebP and GIF images have. Without `size`, it is served as it is.",
  "too large": `This image is too large for smaller sizes: at most ${MAX_SOURCE_BYTES / 1_000_000} MB, and ${megapixels("jpeg")} as JPEG or ${megapixels("png")} as PNG, WebP or GIF. Without \`size\`, it is served as it is.`,
  damaged:
    "This image is damaged, so it has no smaller sizes. Without `size`, it is served as it is.",
  "too costly":
    "Smaller sizes of this image take too much time or memory to make. Without `size`, it is served as it is.",
};

/** The error of a request for a smaller size of such a file. */
const flawFault = (flaw: Exclude<ImageFlaw, "not plain">): Fault =>
  new Fault(flaw === "not an image" ? "unsupported_media_type" : "unprocessable", MESSAGES[flaw]);

const disabled = (): Fault =>
  new Fault("invalid", "This server makes no smaller sizes of images: IMAGE_SPACE is 0.");

type Header =
  | { readonly mayBeTransparent: boolean; readonly maxPixels: number }
  | { readonly flaw: ImageFlaw }
  | { readonly replacedBy: FileRecord };

/** Refuses what can be refused without decoding. */
async function readHeader(readBytes: ReadBytes, file: FileRecord): Promise<Header> {
  if (file.size === 0) return { flaw: "not an image" };
  const start = await readBytes(file, { start: 0, end: Math.min(file.size, HEADER_BYTES) });
  if ("replacedBy" in start) return start;
  const header = readImageHeader(await new Response(start.body).bytes());
  if (header === undefined) return { flaw: "not an image" };
  if (header === "incomplete") {
    if (file.size <= HEADER_BYTES) return { flaw: "damaged" };
    if (file.size > MAX_SOURCE_BYTES) return { flaw: "too large" };
    // Only a JPEG has so much before its dimensions.
    return { mayBeTransparent: false, maxPixels: maxPixelsOf({ format: "jpeg" }) };
  }
  const maxPixels = maxPixelsOf(header);
  const isTooLarge = file.size > MAX_SOURCE_BYTES || header.width * header.height > maxPixels;
  return isTooLarge
    ? { flaw: "too large" }
    : { mayBeTransparent: header.mayBeTransparent, maxPixels };
}

/** The image is not damaged: reading it failed. */
const incompleteSource = (): Fault =>
  new Fault("unavailable", "The storage could not read this image. Try again shortly.", {
    retryAfter: 5,
  });

/** The child reads a copy, of any store, which no deletion removes meanwhile. Returns its size. */
async function copyTo(path: string, body: BlobBody): Promise<number> {
  try {
    return await (body instanceof Blob
      ? writeFile(path, body)
      : writeFile(path, new Response(body)));
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw isAbsent ? noSuchFile() : error;
  }
}

/** A store that also removes the variants of the blobs that it removes. */
export function withVariants<Store extends Blobs>(store: Store, variants: VariantStore): Store {
  return {
    ...store,
    async remove(ids) {
      await store.remove(ids);
      await variants.remove(ids);
    },
    async removeGrowing(ids) {
      await store.removeGrowing(ids);
      await variants.remove(ids);
    },
  };
}
