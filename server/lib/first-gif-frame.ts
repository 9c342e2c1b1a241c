/** The first frame of a GIF on its canvas, in RGBA. */
export interface GifFrame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/**
 * Draws the first frame on its transparent canvas. undefined: the frame fills the canvas, so a decoder of
 * frames is enough; or the file is damaged, or the frame is not inside the canvas (GIF89a, sections 18 to 22).
 */
export function firstGifFrame(bytes: Uint8Array): GifFrame | undefined {
  if (bytes.length < 13) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  const global = paletteAt(bytes, 13, bytes[10] ?? 0);
  const { at, transparent } = findFrame(bytes, 13 + global.length);
  if (at === undefined || at + 11 > bytes.length) return undefined;
  const [left, top] = [view.getUint16(at + 1, true), view.getUint16(at + 3, true)];
  const [across, down] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)];
  if (left === 0 && top === 0 && across === width && down === height) return undefined;
  if (left + across > width || top + down > height) return undefined;
  const flags = bytes[at + 9] ?? 0;
  const local = paletteAt(bytes, at + 10, flags);
  const palette = local.length > 0 ? local : global;
  const coded = at + 10 + local.length;
  const indexes = decodeLzw(bytes[coded] ?? 0, joinBlocks(bytes, coded + 1), across * down);
  const pixels = new Uint8Array(width * height * 4);
  const rows = (flags & 0x40) === 0 ? undefined : interlacedRows(down);
  for (let from = 0; from < indexes.length; from += 1) {
    const index = indexes[from] ?? 0;
    if (index === transparent) continue;
    const line = Math.floor(from / across);
    const y = top + (rows?.[line] ?? line);
    const to = 4 * (y * width + left + (from % across));
    pixels.set(palette.subarray(index * 3, index * 3 + 3), to);
    pixels[to + 3] = 255;
  }
  return { width, height, pixels };
}

const paletteAt = (bytes: Uint8Array, at: number, flags: number): Uint8Array =>
  (flags & 0x80) === 0 ? new Uint8Array() : bytes.subarray(at, at + 3 * 2 ** ((flags & 7) + 1));

/** The position of the first image descriptor, and the index that is transparent in it. */
function findFrame(bytes: Uint8Array, from: number): { at?: number; transparent?: number } {
  let transparent: number | undefined;
  for (let at = from; at < bytes.length; ) {
    if (bytes[at] === 0x2c) return { at, ...(transparent === undefined ? {} : { transparent }) };
    if (bytes[at] !== 0x21) return {};
    if (bytes[at + 1] === 0xf9 && ((bytes[at + 3] ?? 0) & 1) === 1) transparent = bytes[at + 6];
    at = endOfBlocks(bytes, at + 2);
  }
  return {};
}

function endOfBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] ?? 0) !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

function joinBlocks(bytes: Uint8Array, from: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = from; (bytes[at] ?? 0) !== 0; at += 1 + (bytes[at] ?? 0)) {
    blocks.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)));
  }
  return Buffer.concat(blocks);
}

function interlacedRows(height: number): number[] {
  const passes = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const;
  const rows: number[] = [];
  for (const [first, step] of passes) {
    for (let row = first; row < height; row += step) rows.push(row);
  }
  return rows;
}

const MAX_CODES = 4096;

/** At most `count` indexes (GIF89a, appendix F). Fewer if the data end before or are damaged. */
function decodeLzw(minimumBits: number, data: Uint8Array, count: number): Uint8Array {
  const indexes = new Uint8Array(count);
  if (minimumBits < 1 || minimumBits > 8) return indexes.subarray(0, 0);
  const clear = 1 << minimumBits;
  const prefixes = new Uint16Array(MAX_CODES);
  const suffixes = new Uint8Array(MAX_CODES);
  const lengths = new Uint16Array(MAX_CODES);
  for (let code = 0; code < clear; code += 1) {
    suffixes[code] = code;
    lengths[code] = 1;
  }
  let [size, bits, next, previous] = [minimumBits + 1, 0, clear + 2, -1];
  let [held, written] = [0, 0];
  for (const byte of data) {
    held |= byte << bits;
    bits += 8;
    while (bits >= size) {
      const code = held & ((1 << size) - 1);
      held >>>= size;
      bits -= size;
      if (code === clear) {
        [size, next, previous] = [minimumBits + 1, clear + 2, -1];
        continue;
      }
      const isUnknown = previous < 0 ? code >= clear : code > next;
      if (code === clear + 1 || isUnknown || written >= count) return indexes.subarray(0, written);
      // The code may be the one that is being added: the previous string with its first index again.
      const known = code === next ? previous : code;
      const length = lengths[known] ?? 0;
      let first = known;
      for (let at = written + length - 1; at >= written; at -= 1) {
        if (at < count) indexes[at] = suffixes[first] ?? 0;
        if (at > written) first = prefixes[first] ?? 0;
      }
      const head = suffixes[first] ?? 0;
      written += length;
      if (code === next) {
        if (written < count) indexes[written] = head;
        written += 1;
      }
      if (previous >= 0 && next < MAX_CODES) {
        prefixes[next] = previous;
        suffixes[next] = head;
        lengths[next] = (lengths[previous] ?? 0) + 1;
        next += 1;
        if (next === 1 << size && size < 12) size += 1;
      }
      previous = code;
    }
  }
  return indexes.subarray(0, Math.min(written, count));
}
