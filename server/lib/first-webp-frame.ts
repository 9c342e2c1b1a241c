/**
 * The first frame of an animated WebP as a WebP of its own, with its color profile, without the canvas around it; undefined: it
 * is not animated, or has no complete frame (RFC 9649, section 2.7).
 */
export function firstWebpFrame(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 30 || name(bytes, 0) !== "RIFF" || name(bytes, 8) !== "WEBP") return undefined;
  const isAnimated = name(bytes, 12) === "VP8X" && (view.getUint8(20) & ANIMATION) !== 0;
  if (!isAnimated) return undefined;
  let profile = new Uint8Array();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (name(bytes, at) === "ANMF") {
      return content.length === length ? stillOf(content, profile) : undefined;
    }
    const end = at + 8 + length + (length & 1);
    if (name(bytes, at) === "ICCP") profile = bytes.slice(at, end);
    at = end;
  }
  return undefined;
}

const ANIMATION = 0x02;
const ALPHA = 0x10;
const PROFILE = 0x20;
/** Position, size, duration and flags of a frame, before its chunks. */
const FRAME_HEADER = 16;

/** `profile`: the chunk of the color profile, if there is one. */
function stillOf(frame: Uint8Array, profile: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (frame.length < FRAME_HEADER + 8) return undefined;
  const chunks = frame.subarray(FRAME_HEADER);
  const head = new Uint8Array(30);
  const view = new DataView(head.buffer);
  head.set(ascii("RIFF"));
  view.setUint32(4, 22 + profile.length + chunks.length, true);
  head.set(ascii("WEBPVP8X"), 8);
  view.setUint32(16, 10, true);
  head[20] = ALPHA | (profile.length > 0 ? PROFILE : 0);
  // Width and height, each as 24 bits of the number minus 1.
  head.set(frame.subarray(6, 12), 24);
  const still = new Uint8Array(head.length + profile.length + chunks.length);
  still.set(head);
  still.set(profile, head.length);
  still.set(chunks, head.length + profile.length);
  return still;
}

const name = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
