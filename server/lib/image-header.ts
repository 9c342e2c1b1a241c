/** The formats of which smaller sizes are made. */
export type ImageFormat = "jpeg" | "png" | "webp" | "gif";

/** What the first bytes of an image say. */
export interface ImageHeader {
  readonly format: ImageFormat;
  /** In pixels, before the EXIF orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** Whether parts of the image may be transparent. */
  readonly mayBeTransparent: boolean;
}

/**
 * Reads the header of an image without decoding it. "incomplete": the bytes end before the dimensions.
 * undefined: not an image of these formats, or one without pixels.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | "incomplete" | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = FORMATS.find(({ signature }) => startsWith(bytes, signature))?.read;
  if (read === undefined) return undefined;
  const header = read(view);
  if (typeof header !== "object") return header;
  return header.width > 0 && header.height > 0 ? header : undefined;
}

type ReadHeader = (view: DataView) => ImageHeader | "incomplete" | undefined;

const FORMATS: readonly { readonly signature: readonly number[]; readonly read: ReadHeader }[] = [
  { signature: [0xff, 0xd8, 0xff], read: readJpeg },
  { signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], read: readPng },
  { signature: [0x47, 0x49, 0x46, 0x38], read: readGif },
  { signature: [0x52, 0x49, 0x46, 0x46], read: readWebp },
];

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte);

const text = (view: DataView, at: number, length: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));

/** Walks the segments up to the frame header, SOF0 to SOF15 (ITU T.81, annex B). */
function readJpeg(view: DataView): ReturnType<ReadHeader> {
  let at = 2;
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrameHeader(marker)) {
      if (at + 9 > view.byteLength) return "incomplete";
      return {
        format: "jpeg",
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
        mayBeTransparent: false,
      };
    }
    const length = view.getUint16(at + 2);
    // A scan or the end before any frame header.
    if (marker === 0xda || marker === 0xd9 || length < 2) return undefined;
    at += 2 + length;
  }
  return "incomplete";
}

/** Not DHT (C4), JPG (C8) and DAC (CC). */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readPng(view: DataView): ReturnType<ReadHeader> {
  if (view.byteLength < 33) return "incomplete";
  if (text(view, 12, 4) !== "IHDR") return undefined;
  const colorType = view.getUint8(25);
  return {
    format: "png",
    width: view.getUint32(16),
    height: view.getUint32(20),
    // A palette may have transparent colors.
    mayBeTransparent: colorType === 3 || colorType >= 4 || hasTransparentColor(view),
  };
}

/** Whether a tRNS chunk is among the chunks before the pixels. */
function hasTransparentColor(view: DataView): boolean {
  let at = 33;
  while (at + 8 <= view.byteLength) {
    const type = text(view, at + 4, 4);
    if (type === "tRNS") return true;
    if (type === "IDAT") return false;
    at += 12 + view.getUint32(at);
  }
  return false;
}

function readGif(view: DataView): ReturnType<ReadHeader> {
  if (view.byteLength < 10) return "incomplete";
  return {
    format: "gif",
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    mayBeTransparent: true,
  };
}

function readWebp(view: DataView): ReturnType<ReadHeader> {
  if (view.byteLength < 30) return "incomplete";
  if (text(view, 8, 4) !== "WEBP") return undefined;
  const size = webpSize(view, text(view, 12, 4));
  return size === undefined ? undefined : { format: "webp", ...size };
}

/** By the first chunk (RFC 9649, section 2). */
function webpSize(view: DataView, chunk: string): Omit<ImageHeader, "format"> | undefined {
  if (chunk === "VP8X") {
    return {
      width: 1 + (view.getUint32(24, true) & 0xffffff),
      height: 1 + (view.getUint16(27, true) | (view.getUint8(29) << 16)),
      mayBeTransparent: (view.getUint8(20) & 0x10) !== 0,
    };
  }
  if (chunk === "VP8L") {
    const bits = view.getUint32(21, true);
    return {
      width: 1 + (bits & 0x3fff),
      height: 1 + ((bits >>> 14) & 0x3fff),
      mayBeTransparent: ((bits >>> 28) & 1) === 1,
    };
  }
  if (chunk !== "VP8 ") return undefined;
  return {
    width: view.getUint16(26, true) & 0x3fff,
    height: view.getUint16(28, true) & 0x3fff,
    mayBeTransparent: false,
  };
}
