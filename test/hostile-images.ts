import { crc32, deflateSync } from "node:zlib";

/**
 * Images written byte by byte from the formats' specifications, whose headers promise far more than
 * there is. No encoder makes them.
 */

const bytes = (...parts: readonly (string | number | Uint8Array)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(part, "latin1");
      return typeof part === "number" ? Buffer.from([part]) : part;
    }),
  );

function integer(write: "UInt16BE" | "UInt32BE" | "UInt16LE" | "UInt32LE", value: number): Buffer {
  const buffer = Buffer.alloc(write.includes("16") ? 2 : 4);
  buffer[`write${write}`](value);
  return buffer;
}

const u16be = (value: number) => integer("UInt16BE", value);
const u32be = (value: number) => integer("UInt32BE", value);
const u16le = (value: number) => integer("UInt16LE", value);
const u32le = (value: number) => integer("UInt32LE", value);
const u24le = (value: number) => u32le(value).subarray(0, 3);

// PNG (RFC 2083)

function chunk(type: string, data: Uint8Array, length = data.length): Buffer {
  const body = bytes(type, data);
  return bytes(u32be(length), body, u32be(crc32(body)));
}

const png = (...chunks: readonly Buffer[]) => bytes("\x89PNG\r\n\x1a\n", ...chunks);
const header = (width: number, height: number, depth = 8, color = 2) =>
  chunk("IHDR", bytes(u32be(width), u32be(height), depth, color, 0, 0, 0));
const line = chunk("IDAT", deflateSync(Buffer.alloc(4)));
const end = chunk("IEND", Buffer.alloc(0));

// JPEG (ITU T.81)

const segment = (marker: number, data: Uint8Array) =>
  bytes(0xff, marker, u16be(data.length + 2), data);
const tables = bytes(
  segment(0xdb, bytes(0, Buffer.alloc(64, 1))),
  segment(0xc4, bytes(0x00, 1, Buffer.alloc(15), 0)),
  segment(0xc4, bytes(0x10, 1, Buffer.alloc(15), 0)),
);
const frame = (marker: number, width: number, height: number, components = 1) =>
  segment(
    marker,
    bytes(
      8,
      u16be(height),
      u16be(width),
      components,
      ...Array.from({ length: components }, (_, at) => bytes(at + 1, 0x11, 0)),
    ),
  );
const scan = segment(0xda, bytes(1, 1, 0, 0, 63, 0));
const jpeg = (...segments: readonly Buffer[]) => bytes(0xff, 0xd8, ...segments);
/** A scan that refines one bit of the coefficients: each costs a pass over all pixels. */
const progressiveScans = (count: number) =>
  bytes(...Array.from({ length: count }, () => bytes(segment(0xda, bytes(1, 1, 0, 0, 0, 0)), 0)));

// GIF (GIF89a)

const gif = (width: number, height: number, ...blocks: readonly Buffer[]) =>
  bytes("GIF89a", u16le(width), u16le(height), 0x80, 0, 0, Buffer.alloc(6), ...blocks);
const picture = (width: number, height: number, data: Uint8Array) =>
  bytes(0x2c, u16le(0), u16le(0), u16le(width), u16le(height), 0, 2, data);
const extension = bytes(0x21, 0xfe, 255, Buffer.alloc(255, 0x20), 0);

// WebP (RFC 9649)

const riff = (type: string, data: Uint8Array, length = data.length) =>
  bytes(type, u32le(length), data, Buffer.alloc(data.length % 2));
const webp = (...chunks: readonly Buffer[]) => riff("RIFF", bytes("WEBP", ...chunks));
const canvas = (width: number, height: number, flags = 0) =>
  riff("VP8X", bytes(u32le(flags), u24le(width - 1), u24le(height - 1)));
/** The header of a key frame of VP8 (RFC 6386, section 9.1). */
const vp8 = (width: number, height: number) =>
  riff("VP8 ", bytes(0x10, 0, 0, 0x9d, 1, 0x2a, u16le(width), u16le(height), Buffer.alloc(20)));
/** 14 bits each for width and height (RFC 9649, section 3.4). */
const vp8l = (width: number, height: number) =>
  riff("VP8L", bytes(0x2f, u32le((width - 1) | ((height - 1) << 14)), Buffer.alloc(20)));
const moving = riff("ANIM", Buffer.alloc(6));
const animationFrame = (width: number, height: number, data: Uint8Array, length?: number) =>
  riff(
    "ANMF",
    bytes(Buffer.alloc(6), u24le(width - 1), u24le(height - 1), u24le(100), 0, data),
    length,
  );

const MANY = 100_000;

/** Images with more pixels than the server decodes. */
export const HUGE_IMAGES: readonly (readonly [name: string, content: Buffer])[] = [
  ["a PNG of 65,535 × 65,535 with one line", png(header(65_535, 65_535), line, end)],
  ["a PNG of 2³¹ − 1 squared", png(header(0x7fff_ffff, 0x7fff_ffff), line, end)],
  ["a PNG with 16 bits a channel and too many pixels", png(header(9000, 9000, 16, 6), line, end)],
  ["a JPEG of 65,535 × 65,535", jpeg(tables, frame(0xc0, 65_535, 65_535), scan, Buffer.alloc(9))],
  [
    "a progressive JPEG of 65,535 × 65,535",
    jpeg(tables, frame(0xc2, 65_535, 65_535), progressiveScans(5000)),
  ],
  [
    "a GIF with a screen of 65,535 × 65,535",
    gif(65_535, 65_535, picture(65_535, 65_535, bytes(1, 0x44, 0))),
  ],
  ["a WebP canvas of 16,777,216 squared", webp(canvas(1 << 24, 1 << 24), vp8(50, 50))],
  ["a WebP of 16,383 × 16,383 without data", webp(vp8(16_383, 16_383))],
  ["a lossless WebP of 16,384 × 16,384 without data", webp(vp8l(16_384, 16_384))],
  [
    "a WebP animation on a huge canvas",
    webp(canvas(1 << 24, 1 << 24, 2), moving, animationFrame(1 << 24, 1 << 24, vp8(50, 50))),
  ],
];

/** The server makes no image of these either. */
export const HOSTILE_IMAGES: typeof HUGE_IMAGES = [
  ["a PNG without width", png(header(0, 100), line, end)],
  ["a PNG with an unknown color type", png(header(100, 100, 8, 5), line, end)],
  ["a PNG whose chunk claims 4 GB", png(header(50, 50), chunk("IDAT", line, 0xffff_ffff))],
  ["a PNG of headers only", png(...Array.from({ length: 1000 }, () => header(50, 50)), end)],
  [
    "a PNG of empty chunks",
    png(header(50, 50), ...Array(MANY).fill(chunk("tEXt", Buffer.alloc(0)))),
  ],
  ["a PNG with a palette and no colors", png(header(50, 50, 8, 3), line, end)],
  ["a JPEG whose height comes later and does not", jpeg(tables, frame(0xc0, 5000, 0), scan)],
  ["a JPEG without components", jpeg(tables, frame(0xc0, 500, 500, 0), scan)],
  ["a JPEG with 80 components", jpeg(tables, frame(0xc0, 500, 500, 80), scan)],
  ["a JPEG without tables", jpeg(frame(0xc0, 500, 500), scan, Buffer.alloc(99))],
  ["a JPEG of empty segments", jpeg(...Array(MANY).fill(segment(0xe1, Buffer.alloc(0))))],
  ["a JPEG of fill bytes", jpeg(Buffer.alloc(1_000_000, 0xff))],
  ["a JPEG whose segment is longer than the file", jpeg(bytes(0xff, 0xe1, u16be(0xffff), 1))],
  ["a GIF whose comments never end", gif(50, 50, ...Array(4000).fill(extension))],
  [
    "a WebP animation whose frame claims 4 GB",
    webp(canvas(50, 50, 2), moving, animationFrame(50, 50, vp8(50, 50), 0xffff_fffe)),
  ],
  ["a WebP animation of frames in frames", webp(canvas(50, 50, 2), moving, nested(2000))],
  [
    "a WebP of empty chunks",
    webp(canvas(50, 50, 2), ...Array(MANY).fill(riff("JUNK", Buffer.alloc(0)))),
  ],
  ["a WebP that claims 4 GB", riff("RIFF", bytes("WEBP", canvas(50, 50)), 0xffff_ffff)],
];

/** Decoders may draw what there is of these, which is an empty image. */
export const EMPTY_IMAGES: typeof HUGE_IMAGES = [
  ["a GIF whose blocks never end", gif(50, 50, picture(50, 50, Buffer.alloc(MANY, 1)))],
  [
    "a GIF that only clears its table",
    gif(9000, 5000, picture(9000, 5000, bytes(...Array(MANY).fill(bytes(1, 0x24)), 0))),
  ],
];

function nested(depth: number): Buffer {
  let inner = vp8(50, 50);
  for (let at = 0; at < depth; at += 1) inner = animationFrame(50, 50, inner);
  return inner;
}
