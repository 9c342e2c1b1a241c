import { encodePng } from "../lib/encode-png.ts";
import type { Orientation } from "../lib/exif-orientation.ts";
import { firstGifFrame } from "../lib/first-gif-frame.ts";
import { firstWebpFrame } from "../lib/first-webp-frame.ts";
import { readImageTraits } from "../lib/image-traits.ts";
import { mapFile } from "../runtime/files.ts";
import { type Image, openImage } from "../runtime/images.ts";
import { dropSrgbProfile } from "./drop-srgb-profile.ts";
import type { ImageFlaw, RenderJob, RenderResult } from "./rendering.ts";

/**
 * Scales an image. Runs in the child process. The EXIF orientation is applied; EXIF, XMP and other
 * metadata are dropped, except the color profile, which a WebP has if it is not sRGB's. Of an animation, the first frame is taken.
 */
export async function renderImage(job: RenderJob): Promise<RenderResult> {
  const { path, edge, quality, format, maxPixels } = job;
  try {
    // Only the parts that are read take memory. Nothing else changes the file.
    const bytes = mapFile(path);
    const { isPlain, orientation } = readImageTraits(bytes);
    if (!isPlain) return { flaw: "not plain" };
    const image = openImage(sourceOf(path, bytes), { maxPixels });
    turn(image, orientation);
    image.resize(edge, edge, { fit: "inside", withoutEnlargement: true });
    if (format === "png") image.png();
    else image[format]({ quality });
    const made = new Uint8Array(await image.bytes());
    return { bytes: format === "webp" ? dropSrgbProfile(made) : made };
  } catch (error) {
    return { flaw: flawOf(error) };
  }
}

/** The path, unless the image has to be prepared for the decoder: it knows no animated WebP and no canvas of a GIF. */
function sourceOf(path: string, bytes: Uint8Array): string | Uint8Array {
  if (startsWith(bytes, "GIF8")) {
    const frame = firstGifFrame(bytes);
    return frame === undefined ? path : encodePng(frame);
  }
  return firstWebpFrame(bytes) ?? path;
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, text.length)).equals(
    Buffer.from(text),
  );

/** Clockwise, before the mirror. */
const TURNS: Readonly<Record<Orientation, { rotate?: 90 | 180 | 270; mirror?: "flip" | "flop" }>> =
  {
    1: {},
    2: { mirror: "flop" },
    3: { rotate: 180 },
    4: { mirror: "flip" },
    5: { rotate: 90, mirror: "flop" },
    6: { rotate: 90 },
    7: { rotate: 90, mirror: "flip" },
    8: { rotate: 270 },
  };

function turn(image: Image, orientation: Orientation): void {
  const { rotate, mirror } = TURNS[orientation];
  if (rotate !== undefined) image.rotate(rotate);
  if (mirror !== undefined) image[mirror]();
}

function flawOf(error: unknown): ImageFlaw {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") return "too large";
  return code === "ERR_IMAGE_UNKNOWN_FORMAT" ? "not an image" : "damaged";
}
