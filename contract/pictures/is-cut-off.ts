// Runs in browsers: in the dashboard, and on the pages of links, to which the server sends this file alone.

/** Complete pictures end with these bytes: a JPEG with EOI, a PNG with the type and checksum of `IEND`. */
const ENDS: Readonly<Record<string, string>> = {
  "image/jpeg": "\xff\xd9",
  "image/png": "IEND\xae\x42\x60\x82",
};
/** A PNG may have data after its `IEND`: the search for it covers this many of the last bytes. */
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
  const end = ENDS[mimeType];
  if (end === undefined) return false;
  const lowest = lowestRow(image);
  if (lowest === undefined) return false;
  // A JPEG itself has no transparency.
  if (mimeType === "image/jpeg" && lowest === "transparent") return true;
  return mimeType === "image/png"
    ? !latin1(await readTail(TAIL_BYTES)).includes(end)
    : !latin1(await readTail(end.length)).endsWith(end);
}

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
