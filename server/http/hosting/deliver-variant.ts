import { type ImageSize, imageSizeSettings, imageSizes } from "../../../contract/settings.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { endsIn } from "../../domain/lifetime.ts";
import { tryParseName } from "../../domain/names/name.ts";
import type { FileRecord, Millis, Name } from "../../domain/records.ts";
import type { Images } from "../../images/images.ts";
import { xxHash64 } from "../../runtime/hash.ts";
import { accepts } from "../../semantics/accepts.ts";
import { readDeliverable } from "../../semantics/deliverable-metadata.ts";
import { etag } from "../../semantics/etag.ts";
import { changeMetadata } from "../../semantics/file-metadata.ts";
import { type DeliveredFile, planDelivery } from "../../semantics/plan-delivery.ts";
import type { Settings } from "../../settings/settings.ts";
import { afterReplacement, conditionsOf, type Deliver, respondWithoutContent } from "./deliver.ts";

/**
 * Sizes of the tiles of galleries, for screens of one pixel and of two pixels a CSS pixel. Many are loaded at once, and
 * in so small a picture nobody sees the lower quality.
 */
const tileSizes = ["tile", "dense-tile"] as const;
export type TileSize = (typeof tileSizes)[number];

const TILES: Readonly<Record<TileSize, { scale: number; maxQuality: number }>> = {
  tile: { scale: 1, maxQuality: 40 },
  "dense-tile": { scale: 1.5, maxQuality: 55 },
};

/** As `Deliver`, for the image in a smaller size. Faults: same as `Images.variant`. */
export type DeliverVariant = (
  size: ImageSize | TileSize,
  ...delivered: Parameters<Deliver>
) => Promise<Response>;

export interface VariantDeliveryDeps {
  readonly images: Pick<Images, "variant">;
  /** Delivers the file itself. */
  readonly deliver: Deliver;
  readonly settings: Pick<Settings, "current">;
  /** The clock that lifetimes count by. */
  readonly now: () => Millis;
  /** Called with the length of each body; 0 without one. */
  readonly onSend: (bytes: number, request: Request, file: FileRecord) => void;
}

/** Fault "invalid": the size is unknown, or more than one is given. */
export const parseImageSize = (given: readonly string[]): ImageSize | undefined =>
  parseSize(given, imageSizes);

/** The same for pages of links, which have tiles. */
export const parseLinkImageSize = (given: readonly string[]): ImageSize | TileSize | undefined =>
  parseSize(given, [...imageSizes, ...tileSizes]);

function parseSize<Size extends string>(
  given: readonly string[],
  sizes: readonly Size[],
): Size | undefined {
  if (given.length === 0) return undefined;
  const size = sizes.find((each) => each === given[0]);
  if (size !== undefined && given.length === 1) return size;
  throw new Fault("invalid", `\`size\` must be one of ${sizes.join(", ")}, and be given once.`);
}

function scaleOf(size: ImageSize | TileSize, settings: ReturnType<Settings["current"]>) {
  if (size !== "tile" && size !== "dense-tile") {
    return { edge: settings[imageSizeSettings[size]], quality: settings.imageQuality };
  }
  const { scale, maxQuality } = TILES[size];
  return {
    edge: Math.round(settings.smallImageSize * scale),
    quality: Math.min(settings.imageQuality, maxQuality),
  };
}

/**
 * Responds with an image in a smaller size, or a part of it, or 304, 412 or 416. Where only the original looks right,
 * it is delivered.
 */
export function createDeliverVariant(deps: VariantDeliveryDeps): DeliverVariant {
  const deliver: DeliverVariant = async (size, file, request, disposition, urlKind) => {
    const settings = deps.settings.current();
    const rendering = {
      ...scaleOf(size, settings),
      format: accepts(request.headers.get("accept"), "image/webp") ? "webp" : "jpeg",
    } as const;
    const variant = await deps.images.variant(file, rendering, request.signal);
    if (variant === "original") return deps.deliver(file, request, disposition, urlKind);
    if ("replacedBy" in variant) {
      return deliver(size, variant.replacedBy, request, disposition, afterReplacement(urlKind));
    }
    const { bytes } = variant;
    const plan = planDelivery(conditionsOf(request, file), variantOf(file, bytes), {
      disposition,
      cacheMaxAge: settings.hostingCacheSeconds,
      tag: tagOf(file, bytes),
      urlKind,
      endsIn: endsIn(file, deps.now),
    });
    plan.headers.Vary = "Accept";
    const withoutContent = respondWithoutContent(plan, bytes.length);
    if (withoutContent !== undefined) {
      if (plan.status === 304) deps.onSend(0, request, file);
      return withoutContent;
    }
    if (request.method === "HEAD") {
      deps.onSend(0, request, file);
      return new Response(null, plan);
    }
    const { start, end } = plan.slice ?? { start: 0, end: bytes.length };
    deps.onSend(end - start, request, file);
    return new Response(bytes.subarray(start, end), plan);
  };
  return deliver;
}

/** Strong: servers may differ in the bytes that they make of the same image. */
function tagOf({ modifiedAt }: FileRecord, bytes: Uint8Array): string {
  const digest = xxHash64(bytes).toString(16);
  return `${etag(bytes.length, modifiedAt).slice(0, -1)}-${digest}"`;
}

/** What the response describes. Of the metadata, only what is about caching applies to it. */
function variantOf(file: FileRecord, bytes: Uint8Array): DeliveredFile {
  const { cacheControl, expires } = readDeliverable(file.metadata);
  const type = TYPES.find(({ first }) => first === bytes[0]) ?? JPEG;
  return {
    name: withExtension(file.name, type.extension),
    mimeType: type.mimeType,
    charset: null,
    size: bytes.length,
    sha256: null,
    metadata: changeMetadata(null, {
      ...(cacheControl && { cacheControl }),
      ...(expires && { expires }),
    }),
    visibility: file.visibility,
    modifiedAt: file.modifiedAt,
  };
}

const JPEG = { first: 0xff, mimeType: "image/jpeg", extension: "jpg" } as const;
/** By the first byte. */
const TYPES = [
  JPEG,
  { first: 0x52, mimeType: "image/webp", extension: "webp" },
  { first: 0x89, mimeType: "image/png", extension: "png" },
] as const;

/** The name with another extension, or as it is if that would be too long. */
const withExtension = (name: Name, extension: string): Name =>
  tryParseName(`${name.replace(/\.[^.]*$/, "")}.${extension}`) ?? name;
