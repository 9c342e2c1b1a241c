import { firstWebpFrame } from "../rules/first-webp-frame.ts";
import type { ImageFlaw, RenderJob, RenderResult } from "./rendering.ts";

/**
 * Scales an image. Runs in the child process. The EXIF orientation is applied; EXIF, XMP and other
 * metadata are dropped, except the color profile. Of an animation, the first frame is taken.
 */
export async function renderImage(job: RenderJob): Promise<RenderResult> {
  const { path, edge, quality, format, maxPixels } = job;
  try {
    const image = new Bun.Image(await sourceOf(path), { maxPixels });
    image.resize(edge, edge, { fit: "inside", withoutEnlargement: true });
    if (format === "png") image.png();
    else image[format]({ quality });
    return { bytes: await image.bytes() };
  } catch (error) {
    return { flaw: flawOf(error) };
  }
}

/** The path, unless the image has to be prepared for the decoder, which knows no animated WebP. */
async function sourceOf(path: string): Promise<string | Uint8Array> {
  const file = Bun.file(path);
  const start = await file.slice(0, 16).bytes();
  if (String.fromCharCode(...start.subarray(8, 16)) !== "WEBPVP8X") return path;
  return firstWebpFrame(await file.bytes()) ?? path;
}

function flawOf(error: unknown): ImageFlaw {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") return "too large";
  return code === "ERR_IMAGE_UNKNOWN_FORMAT" ? "not an image" : "damaged";
}
