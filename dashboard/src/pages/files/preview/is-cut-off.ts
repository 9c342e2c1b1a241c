import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";

/** The last bytes of complete pictures: EOI of JPEG, the checksum of PNG's `IEND`, GIF's trailer. */
const ENDS: Readonly<Record<string, readonly number[]>> = {
  "image/jpeg": [0xff, 0xd9],
  "image/png": [0xae, 0x42, 0x60, 0x82],
  "image/gif": [0x3b],
};

/** Whether the end of a picture is missing: browsers show the beginning and say nothing. */
export async function isCutOff(image: HTMLImageElement, file: FileObject): Promise<boolean> {
  const end = ENDS[file.mimeType];
  if (end === undefined || file.size < end.length) return false;
  const lowest = lowestRow(image);
  if (lowest === undefined) return false;
  // A JPEG itself has no transparency.
  if (file.mimeType === "image/jpeg" && lowest === "transparent") return true;
  // Pictures may have data after their end, so their last bytes alone would tell nothing.
  const range = { start: file.size - end.length, end: file.size - 1 };
  const { response } = await holdall.files.download(file.id, { range });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return end.some((value, at) => bytes[at] !== value);
}

const SAMPLES = 16;
/** Gray, the color that some browsers show in place of missing parts. */
const GRAY = 128;

/** Returns how the lowest row looks if it may stand for missing parts. */
function lowestRow(image: HTMLImageElement): "gray" | "transparent" | undefined {
  const { naturalWidth, naturalHeight } = image;
  const context = new OffscreenCanvas(SAMPLES, 1).getContext("2d");
  if (context === null || naturalHeight === 0) return undefined;
  context.drawImage(image, 0, naturalHeight - 1, naturalWidth, 1, 0, 0, SAMPLES, 1);
  const { data } = context.getImageData(0, 0, SAMPLES, 1);
  if (data.every((value) => value === 0)) return "transparent";
  return data.every((value, at) => at % 4 === 3 || value === GRAY) ? "gray" : undefined;
}
