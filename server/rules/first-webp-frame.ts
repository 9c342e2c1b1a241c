/**
 * The first frame of an animated WebP as a WebP of its own, without the canvas around it; undefined: it
 * is not animated, or has no complete frame (RFC 9649, section 2.7).
 */
export function firstWebpFrame(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 30 || name(bytes, 0) !== "RIFF" || name(bytes, 8) !== "WEBP") return undefined;
  const isAnimated = name(bytes, 12) === "VP8X" && (view.getUint8(20) & ANIMATION) !== 0;
  if (!isAnimated) return undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (name(bytes, at) === "ANMF") {
      return content.length === length ? stillOf(content) : undefined;
    }
    at += 8 + length + (length & 1);
  }
  return undefined;
}

const ANIMATION = 0x02;
const ALPHA = 0x10;
/** Position, size, duration and flags of a frame, before its chunks. */
const FRAME_HEADER = 16;

function stillOf(frame: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (frame.length < FRAME_HEADER + 8) return undefined;
  const chunks = frame.subarray(FRAME_HEADER);
  const head = new Uint8Array(30);
  const view = new DataView(head.buffer);
  head.set(ascii("RIFF"));
  view.setUint32(4, 22 + chunks.length, true);
  head.set(ascii("WEBPVP8X"), 8);
  view.setUint32(16, 10, true);
  head[20] = ALPHA;
  // Width and height, each as 24 bits of the number minus 1.
  head.set(frame.subarray(6, 12), 24);
  const still = new Uint8Array(head.length + chunks.length);
  still.set(head);
  still.set(chunks, head.length);
  return still;
}

const name = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
