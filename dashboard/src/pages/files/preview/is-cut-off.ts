import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";

/** Complete pictures end with these bytes: a JPEG with EOI, a PNG with the type and checksum of `IEND`. */
const ENDS: Readonly<Record<string, string>> = {
  "image/jpeg": "\xff\xd9",
  "image/png": "IEND\xae\x42\x60\x82",
};
/** A PNG may have data after its `IEND`, so that is searched for in this many of the last bytes. */
const TAIL_BYTES = 64 * 1024;

/** Whether the end of a picture is missing: browsers show the beginning and say nothing. */
export async function isCutOff(image: HTMLImageElement, file: FileObject): Promise<boolean> {
  const end = ENDS[file.mimeType];
  if (end === undefined || file.size === 0) return false;
  const lowest = lowestRow(image);
  if (lowest === undefined) return false;
  // A JPEG itself has no transparency.
  if (file.mimeType === "image/jpeg" && lowest === "transparent") return true;
  const range = { start: Math.max(0, file.size - TAIL_BYTES), end: file.size - 1 };
  const { response } = await holdall.files.download(file.id, { range });
  const tail = new Uint8Array(await response.arrayBuffer());
  return file.mimeType === "image/png"
    ? !latin1(tail).includes(end)
    : !latin1(tail.subarray(-end.length)).endsWith(end);
}

/** A letter for each byte. */
const latin1 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

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
