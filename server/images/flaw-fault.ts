import { Fault } from "../domain/fault.ts";
import { type ImageFlaw, MAX_SOURCE_BYTES, maxPixelsOf } from "./rendering.ts";

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
export const flawFault = (flaw: Exclude<ImageFlaw, "not plain">): Fault =>
  new Fault(flaw === "not an image" ? "unsupported_media_type" : "unprocessable", MESSAGES[flaw]);
