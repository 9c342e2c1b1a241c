// Runs in browsers: in the dashboard, and on the pages of links, to which the server sends this file alone.

/** A picture may have data after its end, such as a video: the search for the end covers this many of the last bytes. */
const TAIL_BYTES = 64 * 1024;

/**
 * Whether the end of a picture is missing: browsers show the beginning and say nothing. `image` may be a smaller size
 * of it. `readTail` reads this number of bytes at the end of the file, or the whole of a smaller file.
 */
export async function isCutOff(
  image: HTMLImageElement,
  mimeType: string,
  readTail: (bytes: number) => Promise<ArrayBuffer>,
): Promise<boolean> {
  if (!(mimeType in HAS_END)) return false;
  const lowest = lowestRow(image);
  if (lowest === undefined) return false;
  // A JPEG itself has no transparency.
  if (mimeType === "image/jpeg" && lowest === "transparent") return true;
  return !hasEnd(mimeType, await readTail(TAIL_BYTES));
}

const HAS_END: Readonly<Record<string, (tail: string) => boolean>> = {
  // EOI comes after the last SOS. An EOI before it is that of a thumbnail; within a scan, 0xff is escaped.
  "image/jpeg": (tail) => tail.lastIndexOf("\xff\xd9") > tail.lastIndexOf("\xff\xda"),
  // The type and the checksum of `IEND`.
  "image/png": (tail) => tail.includes("IEND\xae\x42\x60\x82"),
};

/** Whether these last bytes of a JPEG or a PNG contain its end. */
export const hasEnd = (mimeType: string, tail: ArrayBuffer): boolean =>
  HAS_END[mimeType]?.(latin1(tail)) ?? false;

/** Decodes each byte as one character. */
const latin1 = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");

const SAMPLES = 16;
/** Gray, the color that some browsers, and smaller sizes, show in place of missing parts. */
const GRAY = 128;
/** Compression changes the gray of smaller sizes by at most this much. */
const TOLERANCE = 3;

/** Returns how the lowest row looks if it may stand for missing parts; undefined: it shows a part of the picture. */
function lowestRow(image: HTMLImageElement): "gray" | "transparent" | undefined {
  const { naturalWidth, naturalHeight } = image;
  const context = new OffscreenCanvas(SAMPLES, 1).getContext("2d");
  if (context === null || naturalHeight === 0) return undefined;
  context.drawImage(image, 0, naturalHeight - 1, naturalWidth, 1, 0, 0, SAMPLES, 1);
  const { data } = context.getImageData(0, 0, SAMPLES, 1);
  if (data.every((value) => value === 0)) return "transparent";
  return data.every((value, at) => at % 4 === 3 || Math.abs(value - GRAY) <= TOLERANCE)
    ? "gray"
    : undefined;
}
