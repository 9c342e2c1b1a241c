/**
 * A WebP without its color profile if that is sRGB, which browsers take images without one for. Programs for photographs
 * write one of 3 KB, as much as half of a small picture.
 */
export function dropSrgbProfile(webp: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const image = Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength);
  // Bytes 12 to 29 are the extended header, and a profile is the first chunk after it (RFC 9649, section 2.7).
  const hasProfile =
    image.length > 38 && isNamed(image, 12, "VP8X") && isNamed(image, PROFILE_AT, "ICCP");
  if (!hasProfile) return webp;
  const length = image.readUInt32LE(PROFILE_AT + 4);
  const start = PROFILE_AT + 8;
  const end = start + length + (length & 1);
  if (end > image.length || !isSrgb(image.subarray(start, start + length))) return webp;
  const bare = Buffer.concat([image.subarray(0, PROFILE_AT), image.subarray(end)]);
  bare.writeUInt32LE(bare.length - 8, 4);
  bare.writeUInt8(bare.readUInt8(FLAGS_AT) & ~HAS_PROFILE, FLAGS_AT);
  return bare;
}

const PROFILE_AT = 30;
const FLAGS_AT = 20;
const HAS_PROFILE = 0x20;

/** The colors of sRGB as a profile has them, for white of 5000 K. */
const COLORS: Readonly<Record<string, readonly number[]>> = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
};

const CURVES = ["rTRC", "gTRC", "bTRC"] as const;
/** Coded values, and the light of sRGB that they stand for (IEC 61966-2-1). */
const LIGHT = [
  [0.1, 0.01],
  [0.5, 0.214],
  [0.9, 0.7874],
] as const;

/**
 * Whether a profile calls itself sRGB and has its colors and curves (ICC.1, sections 7.3 and 10). "Linear sRGB", which
 * programs write for images of 16 bits, has other curves.
 */
function isSrgb(profile: Buffer): boolean {
  const tags = tagsOf(profile);
  // A description may be in UTF-16.
  const name = tags.get("desc")?.toString("latin1").replaceAll("\0", "") ?? "";
  return (
    name.includes("sRGB") &&
    Object.entries(COLORS).every(([tag, color]) => {
      const data = tags.get(tag);
      return data !== undefined && data.length >= 20 && color.every(isNear(data));
    }) &&
    CURVES.every((tag) => isSrgbCurve(tags.get(tag)))
  );
}

const isSrgbCurve = (curve: Buffer = Buffer.alloc(0)): boolean =>
  LIGHT.every(([value, light]) => Math.abs(lightOf(curve, value) - light) < 0.003);

/** The light of a coded value between 0 and 1. NaN: the curve is of a kind that sRGB is not written in. */
function lightOf(curve: Buffer, value: number): number {
  const points = isNamed(curve, 0, "curv") && curve.length >= 12 ? curve.readUInt32BE(8) : 0;
  if (points > 1 && curve.length >= 12 + 2 * points) {
    const place = value * (points - 1);
    const [low, share] = [Math.floor(place), place % 1];
    const [one, next] = [curve.readUInt16BE(12 + 2 * low), curve.readUInt16BE(14 + 2 * low)];
    return (one + (next - one) * share) / 65_535;
  }
  const isFormula =
    isNamed(curve, 0, "para") && curve.length >= 32 && curve.readUInt16BE(8) === SRGB_FORMULA;
  if (!isFormula) return Number.NaN;
  const [g = 0, a = 0, b = 0, c = 0, d = 0] = [12, 16, 20, 24, 28].map(
    (at) => curve.readInt32BE(at) / 65_536,
  );
  return value >= d ? (a * value + b) ** g : c * value;
}

/** (a·x + b)^g, and c·x below d. */
const SRGB_FORMULA = 3;

/** Whether a coordinate is within rounding: they are fixed-point numbers, after eight bytes. */
const isNear =
  (data: Buffer) =>
  (value: number, index: number): boolean =>
    Math.abs(data.readInt32BE(8 + 4 * index) / 65_536 - value) < 0.001;

function tagsOf(profile: Buffer): ReadonlyMap<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = profile.length < 132 ? 0 : profile.readUInt32BE(128);
  for (let at = 132; at < 132 + 12 * count && at + 12 <= profile.length; at += 12) {
    const [from, size] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)];
    tags.set(profile.toString("latin1", at, at + 4), profile.subarray(from, from + size));
  }
  return tags;
}

const isNamed = (image: Buffer, at: number, name: string): boolean =>
  image.toString("latin1", at, at + 4) === name;
