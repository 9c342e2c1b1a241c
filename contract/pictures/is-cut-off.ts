// Runs in browsers: in the dashboard, and on the pages of links, to which the server sends this file alone.

/** The end of most pictures is within this many of the last bytes. */
const TAIL_BYTES = 64 * 1024;

/**
 * Whether the end of a picture is missing: browsers show the beginning and say nothing. `image` may be a smaller size
 * of it. `read` reads this number of bytes at the end of the file, or the whole of a smaller file; without a number,
 * the whole file.
 */
export async function isCutOff(
  image: HTMLImageElement,
  mimeType: string,
  read: (lastBytes?: number) => Promise<Response>,
): Promise<boolean> {
  if (!(mimeType in HAS_END)) return false;
  const lowest = lowestRow(image);
  if (lowest === undefined) return false;
  // A JPEG itself has no transparency.
  if (mimeType === "image/jpeg" && lowest === "transparent") return true;
  const tail = await read(TAIL_BYTES);
  if (hasEnd(mimeType, await tail.arrayBuffer())) return false;
  // A picture may have data after its end, such as a video, of any length.
  const { body } = await read();
  return body !== null && !(await reachesEnd(mimeType, body));
}

/** Takes a file byte by byte, and returns at the end of the picture. */
type Parser = () => Generator<void, void, number>;

const PARSERS: Readonly<Record<string, Parser>> = {
  "image/jpeg": parseJpeg,
  "image/png": parsePng,
};

/** Whether a whole JPEG or PNG reaches its end. Nothing is read after it. */
export async function reachesEnd(
  mimeType: string,
  file: ReadableStream<Uint8Array>,
): Promise<boolean> {
  const parser = PARSERS[mimeType]?.();
  if (parser === undefined) return false;
  parser.next();
  const reader = file.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return false;
    for (const byte of value) {
      if (!parser.next(byte).done) continue;
      await reader.cancel();
      return true;
    }
  }
}

const EOI = 0xd9;

/** The segments of a JPEG have their lengths, so that the `EOI` of a thumbnail in one is not found. */
function* parseJpeg(): Generator<void, void, number> {
  for (;;) {
    while ((yield) !== 0xff);
    let marker = yield;
    while (marker === 0xff) marker = yield;
    if (marker === EOI) return;
    if (isAlone(marker)) continue;
    yield* skip((yield) * 256 + (yield) - 2);
  }
}

/** Escaped bytes of a scan (0), `TEM`, `RST0` to `RST7`, and `SOI` have no length. */
const isAlone = (marker: number): boolean => marker < 2 || (marker >= 0xd0 && marker <= 0xd8);

const PNG_SIGNATURE_BYTES = 8;
const CHECKSUM_BYTES = 4;

function* parsePng(): Generator<void, void, number> {
  yield* skip(PNG_SIGNATURE_BYTES);
  for (;;) {
    let length = 0;
    for (let at = 0; at < 4; at += 1) length = length * 256 + (yield);
    let type = "";
    for (let at = 0; at < 4; at += 1) type += String.fromCharCode(yield);
    yield* skip(length + CHECKSUM_BYTES);
    if (type === "IEND") return;
  }
}

function* skip(bytes: number): Generator<void, void, number> {
  for (let left = bytes; left > 0; left -= 1) yield;
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
