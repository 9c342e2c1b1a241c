import type { ImageHeader } from "../lib/image-header.ts";

/** How an image is scaled. */
export interface Rendering {
  /** The longer side of the result is at most this many pixels. Smaller images keep their size. */
  readonly edge: number;
  /** 1 to 100. */
  readonly quality: number;
  /** "jpeg": a PNG instead if the image may be transparent. */
  readonly format: "webp" | "jpeg";
}

/** A request to the child process. */
export interface RenderJob extends Omit<Rendering, "format"> {
  /** The file of the image. */
  readonly path: string;
  readonly format: "webp" | "jpeg" | "png";
  readonly maxPixels: number;
}

/** Why an image has no smaller sizes. "not plain": they would look different, so the image is served as it is. */
export type ImageFlaw = "not plain" | "not an image" | "too large" | "damaged" | "too costly";

/** The child's reply. */
export type RenderResult = { readonly bytes: Uint8Array } | { readonly flaw: ImageFlaw };

/** The largest file that is rendered, in bytes. */
export const MAX_SOURCE_BYTES = 100_000_000;

const MAX_JPEG_PIXELS = 100_000_000;
const MAX_PIXELS = 50_000_000;

/** A JPEG is decoded at a fraction of its size; the others take four bytes a pixel. */
export const maxPixelsOf = ({ format }: Pick<ImageHeader, "format">): number =>
  format === "jpeg" ? MAX_JPEG_PIXELS : MAX_PIXELS;
