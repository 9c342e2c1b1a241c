import { crc32, deflateSync } from "node:zlib";

/** Encoders of test images, which are independent of the server's. */

export type Pixel = readonly [red: number, green: number, blue: number, alpha?: number];
type Paint = (x: number, y: number) => Pixel;

const ascii = (text: string): Buffer => Buffer.from(text, "latin1");

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([ascii(type), data]);
  const chunk = Buffer.alloc(8 + body.length);
  chunk.writeUInt32BE(data.length);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return chunk;
}

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** A PNG of these chunks. `data` are the scan lines; `colorType`: 2 without alpha, 6 with it. */
export function pngOf(
  width: number,
  height: number,
  data: Uint8Array,
  { colorType = 6, more = [] as readonly Buffer[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = colorType;
  const chunks = [pngChunk("IHDR", header), ...more, pngChunk("IDAT", deflateSync(data))];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, pngChunk("IEND", new Uint8Array())]);
}

export function encodePng(width: number, height: number, paint: Paint): Buffer {
  const lines: number[] = [];
  for (let y = 0; y < height; y += 1) {
    lines.push(0);
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha = 255] = paint(x, y);
      lines.push(red, green, blue, alpha);
    }
  }
  return pngOf(width, height, Buffer.from(lines));
}

/** An uncompressed GIF with a palette of 128 greys, of the red channel, in as many frames as given. */
export function encodeGif(width: number, height: number, frames: readonly Paint[]): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width);
  screen.writeUInt16LE(height, 2);
  screen[4] = 0xf6;
  const palette = Buffer.from(
    Array.from({ length: 128 }, (_, grey) => Array(3).fill(grey * 2)).flat(),
  );
  return Buffer.concat([
    ascii("GIF89a"),
    screen,
    palette,
    ...frames.map((paint) => gifFrame(width, height, paint)),
    Buffer.from([0x3b]),
  ]);
}

function gifFrame(width: number, height: number, paint: Paint): Buffer {
  const descriptor = Buffer.alloc(10);
  descriptor[0] = 0x2c;
  descriptor.writeUInt16LE(width, 5);
  descriptor.writeUInt16LE(height, 7);
  // Codes of 8 bits: a clear code before they would grow keeps them so.
  const codes: number[] = [];
  for (let at = 0; at < width * height; at += 1) {
    if (at % 100 === 0) codes.push(128);
    codes.push(paint(at % width, Math.floor(at / width))[0] >> 1);
  }
  codes.push(129);
  const blocks: Buffer[] = [];
  for (let at = 0; at < codes.length; at += 255) {
    const block = codes.slice(at, at + 255);
    blocks.push(Buffer.from([block.length, ...block]));
  }
  return Buffer.concat([descriptor, Buffer.from([7]), ...blocks, Buffer.from([0])]);
}

/** A 24-bit BMP, which the runtime converts to the other formats. */
function encodeBmp(width: number, height: number, paint: Paint): Buffer {
  const stride = (width * 3 + 3) & ~3;
  const bytes = Buffer.alloc(54 + stride * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = paint(x, height - 1 - y);
      bytes.set([blue, green, red], 54 + y * stride + x * 3);
    }
  }
  return bytes;
}

export async function encodeJpeg(width: number, height: number, paint: Paint): Promise<Buffer> {
  return new Bun.Image(encodeBmp(width, height, paint)).jpeg({ quality: 95 }).buffer();
}

export async function encodeWebp(width: number, height: number, paint: Paint): Promise<Buffer> {
  return new Bun.Image(encodeBmp(width, height, paint)).webp({ quality: 95 }).buffer();
}

/** Tags of texts in EXIF data. */
export const EXIF_TEXT = { description: 0x010e, model: 0x0110 } as const;

/** Adds EXIF data to a JPEG: an orientation (1 to 8) and a text, such as a GPS position. */
export function withExif(
  jpeg: Buffer,
  orientation: number,
  text: string,
  tag: number = EXIF_TEXT.description,
): Buffer {
  const note = ascii(`${text}\0`);
  const tiff = Buffer.alloc(38);
  tiff.write("MM\0*", 0, "latin1");
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  // Orientation, a short.
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  // The text follows the directory.
  tiff.writeUInt16BE(tag, 22);
  tiff.writeUInt16BE(2, 24);
  tiff.writeUInt32BE(note.length, 26);
  tiff.writeUInt32BE(38, 30);
  const exif = Buffer.concat([ascii("Exif\0\0"), tiff, note]);
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe1);
  segment.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, exif, jpeg.subarray(2)]);
}

function webpChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

/** An animation of WebP images of one size. */
export function animateWebp(width: number, height: number, stills: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(6);
  size.writeUIntLE(width - 1, 0, 3);
  size.writeUIntLE(height - 1, 3, 3);
  const frames = stills.map((still) =>
    webpChunk(
      "ANMF",
      Buffer.concat([Buffer.alloc(6), size, Buffer.from([100, 0, 0, 0]), still.subarray(12)]),
    ),
  );
  const body = Buffer.concat([
    ascii("WEBP"),
    webpChunk("VP8X", Buffer.concat([Buffer.from([2, 0, 0, 0]), size])),
    webpChunk("ANIM", Buffer.alloc(6)),
    ...frames,
  ]);
  return webpChunk("RIFF", body);
}

/** A still WebP of 20 × 15 pixels with a color profile. */
export function withProfile(still: Uint8Array, profile: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = Buffer.from([0x20, 0, 0, 0, 19, 0, 0, 14, 0, 0]);
  const chunks = [webpChunk("VP8X", header), webpChunk("ICCP", profile), still.subarray(12)];
  return new Uint8Array(webpChunk("RIFF", Buffer.concat([ascii("WEBP"), ...chunks])));
}

/** The pixels of an image, read through a PNG that the runtime makes of it. */
export async function decode(bytes: Uint8Array): Promise<{
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): Promise<Pixel>;
}> {
  const { width, height } = await new Bun.Image(bytes).metadata();
  const { inflateSync } = await import("node:zlib");
  const png = Buffer.from(await new Bun.Image(bytes, { autoOrient: false }).png().bytes());
  const channels = png[25] === 6 ? 4 : 3;
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const lines = unfilter(inflateSync(Buffer.concat(data)), width, height, channels);
  return {
    width,
    height,
    async at(x, y) {
      const from = (y * width + x) * channels;
      const [red = 0, green = 0, blue = 0, alpha = 255] = lines.subarray(from, from + channels);
      return [red, green, blue, alpha];
    },
  };
}

/** Reverses the filters of PNG (RFC 2083, section 6). */
function unfilter(data: Buffer, width: number, height: number, channels: number): Buffer {
  const stride = width * channels;
  const result = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const raw = data[y * (stride + 1) + 1 + x] ?? 0;
      const left = x < channels ? 0 : (result[y * stride + x - channels] ?? 0);
      const up = y === 0 ? 0 : (result[(y - 1) * stride + x] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (result[(y - 1) * stride + x - channels] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      result[y * stride + x] = (raw + predicted) & 255;
    }
  }
  return result;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(estimate - each));
  if (toLeft === undefined || toUp === undefined || toCorner === undefined) return 0;
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
