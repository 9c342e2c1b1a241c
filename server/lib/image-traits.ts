import { exifOrientation, type Orientation } from "./exif-orientation.ts";

/** What a decoder that knows only pixels and RGB profiles would miss. */
export interface ImageTraits {
  /**
   * Whether the pixels mean what they seem to: colors in sRGB or with an RGB profile, and a first frame that fills
   * the canvas. A smaller copy of another image would look different.
   */
  readonly isPlain: boolean;
  /** What the decoder does not apply itself. It does so for JPEG. */
  readonly orientation: Orientation;
}

const PLAIN: ImageTraits = { isPlain: true, orientation: 1 };
const NOT_PLAIN: ImageTraits = { isPlain: false, orientation: 1 };

/** Walks the segments or chunks of a JPEG, PNG or WebP image. Plain if they are damaged: the decoder decides. */
export function readImageTraits(bytes: Uint8Array): ImageTraits {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegTraits(view);
  if (bytes[0] === 0x89 && nameAt(view, 1, 3) === "PNG") return pngTraits(view);
  if (nameAt(view, 0, 4) === "RIFF" && nameAt(view, 8, 4) === "WEBP") return webpTraits(view);
  return PLAIN;
}

const nameAt = (view: DataView, at: number, length: number): string =>
  String.fromCharCode(
    ...new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(at, at + length),
  );

/** The color space of an ICC profile (ICC.1, section 7.2). */
const profileSpace = (view: DataView, profile: number): string => nameAt(view, profile + 16, 4);

const ICC_MARK = "ICC_PROFILE\0";

/** Inks need a conversion by their profile, and a grey profile does not fit the RGB of the smaller size. */
function jpegTraits(view: DataView): ImageTraits {
  let components = 3;
  let space: string | undefined;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === 0xda || marker === 0xd9) break;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 10 <= view.byteLength) components = view.getUint8(at + 9);
    const isProfile = marker === 0xe2 && nameAt(view, at + 4, ICC_MARK.length) === ICC_MARK;
    // The first part of the profile has its header. After the mark come the part's number and their count.
    if (isProfile && space === undefined) space = profileSpace(view, at + 4 + ICC_MARK.length + 2);
    at += 2 + Math.max(2, length);
  }
  if (components === 4) return NOT_PLAIN;
  return space === undefined || (components === 3 && space === "RGB ") ? PLAIN : NOT_PLAIN;
}

/** By the name of the chunk, the position of its first data. */
function chunksOf(view: DataView, isLittle: boolean, from: number): Map<string, DataView> {
  const chunks = new Map<string, DataView>();
  for (let at = from; at + 8 <= view.byteLength; ) {
    const length = view.getUint32(isLittle ? at + 4 : at, isLittle);
    const name = nameAt(view, isLittle ? at : at + 4, 4);
    const end = Math.min(view.byteLength, at + 8 + length);
    const data = new DataView(view.buffer, view.byteOffset + at + 8, end - at - 8);
    if (!chunks.has(name)) chunks.set(name, data);
    at += isLittle ? 8 + length + (length & 1) : 12 + length;
  }
  return chunks;
}

/** sRGB as 100,000 divided by the exponent, and its white, red, green and blue. */
const SRGB_GAMMA = 45_455;
const SRGB_COLORS = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
const GREY_TYPES = [0, 4];

/** In the order of PNG's third edition, section 4.3: cICP, iCCP, sRGB, gAMA with cHRM. */
function pngTraits(view: DataView): ImageTraits {
  const chunks = chunksOf(view, false, 8);
  // Chromium does not read metadata after the pixels.
  const exif = isBefore(chunks, "eXIf", "IDAT") ? chunks.get("eXIf") : undefined;
  const orientation = exif === undefined ? 1 : exifOrientation(bytesOf(exif));
  return { isPlain: hasPlainColors(chunks) && showsFirstPixels(chunks), orientation };
}

function hasPlainColors(chunks: ReadonlyMap<string, DataView>): boolean {
  const [profile, coding] = [chunks.get("iCCP"), chunks.get("cICP")];
  if (coding !== undefined) return profile === undefined && bytesOf(coding).join() === "1,13,0,1";
  const header = chunks.get("IHDR");
  if (profile !== undefined) {
    return (
      header !== undefined && header.byteLength > 9 && !GREY_TYPES.includes(header.getUint8(9))
    );
  }
  if (chunks.has("sRGB")) return true;
  return (
    isNear(chunks.get("gAMA"), [SRGB_GAMMA], 500) && isNear(chunks.get("cHRM"), SRGB_COLORS, 1000)
  );
}

/** Whether the numbers are these, or are not given. */
const isNear = (data: DataView | undefined, numbers: readonly number[], by: number): boolean =>
  data === undefined ||
  data.byteLength < numbers.length * 4 ||
  numbers.every((number, at) => Math.abs(data.getUint32(at * 4) - number) <= by);

/** In an animation, the image of IDAT is a frame only if a frame header is before it. */
function showsFirstPixels(chunks: ReadonlyMap<string, DataView>): boolean {
  if (!chunks.has("acTL") || !chunks.has("fcTL")) return true;
  return isBefore(chunks, "fcTL", "IDAT");
}

/** Whether the first chunk of one name is before all of another name. */
function isBefore(chunks: ReadonlyMap<string, DataView>, name: string, other: string): boolean {
  const names = [...chunks.keys()];
  return names.indexOf(name) < names.indexOf(other);
}

/** The first frame of an animation has to fill the canvas (RFC 9649, section 2.7.1). */
function webpTraits(view: DataView): ImageTraits {
  const chunks = chunksOf(view, true, 12);
  const profile = chunks.get("ICCP");
  if (profile !== undefined && profileSpace(profile, 0) !== "RGB ") return NOT_PLAIN;
  const [canvas, frame] = [chunks.get("VP8X"), chunks.get("ANMF")];
  if (canvas === undefined || frame === undefined) return PLAIN;
  const size = bytesOf(canvas).subarray(4, 10).join();
  const place = bytesOf(frame);
  const fills =
    place.subarray(0, 6).every((byte) => byte === 0) && place.subarray(6, 12).join() === size;
  return fills ? PLAIN : NOT_PLAIN;
}

const bytesOf = (view: DataView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
