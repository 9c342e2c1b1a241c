import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";

/** Whether the end of a JPEG is missing: browsers show the beginning and say nothing. */
export async function isCutOff(image: HTMLImageElement, file: FileObject): Promise<boolean> {
  if (file.mimeType !== "image/jpeg") return false;
  const end = endOf(image);
  if (end !== "gray") return end === "transparent";
  // Photos may have data after the marker of their end, so the marker alone would tell nothing.
  const range = { start: file.size - 2, end: file.size - 1 };
  const { response } = await holdall.files.download(file.id, { range });
  const [first, second] = new Uint8Array(await response.arrayBuffer());
  return first !== 0xff || second !== 0xd9;
}

const SAMPLES = 16;
/** Gray, the color that some browsers show in place of missing parts. */
const GRAY = 128;

/** Returns how the lowest row looks if it may stand for missing parts: a JPEG itself has no transparency. */
function endOf(image: HTMLImageElement): "gray" | "transparent" | undefined {
  const { naturalWidth, naturalHeight } = image;
  const context = new OffscreenCanvas(SAMPLES, 1).getContext("2d");
  if (context === null || naturalHeight === 0) return undefined;
  context.drawImage(image, 0, naturalHeight - 1, naturalWidth, 1, 0, 0, SAMPLES, 1);
  const { data } = context.getImageData(0, 0, SAMPLES, 1);
  if (data.every((value) => value === 0)) return "transparent";
  return data.every((value, at) => at % 4 === 3 || value === GRAY) ? "gray" : undefined;
}
