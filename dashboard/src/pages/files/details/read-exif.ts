/** The facts in a photo that the dashboard shows. */
export interface Exif {
  readonly camera?: string;
  readonly lens?: string;
  /** Such as "2026:07:01 18:30:00". */
  readonly takenAt?: string;
  /** In seconds. */
  readonly exposure?: number;
  readonly aperture?: number;
  readonly iso?: number;
  /** In millimetres. */
  readonly focalLength?: number;
  /** In degrees. */
  readonly latitude?: number;
  readonly longitude?: number;
}

/** The fields of a directory by their tags. */
type Fields = ReadonlyMap<number, string | readonly number[]>;

const MAX_FIELDS = 500;

/**
 * The EXIF data in the first bytes of a JPEG (EXIF 2.32, in TIFF 6.0). undefined: there is none, or it
 * is damaged.
 */
export function readExif(bytes: Uint8Array): Exif | undefined {
  try {
    const tiff = findTiff(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return tiff === undefined ? undefined : exifOf(tiff);
  } catch (error) {
    // It points behind its end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The TIFF data in the segment APP1 of a JPEG. */
function findTiff(view: DataView): DataView | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const marker = view.getUint16(at);
    // The image begins.
    if (marker < 0xff01 || marker === 0xffda) return undefined;
    const length = view.getUint16(at + 2);
    const isExif = marker === 0xffe1 && length >= 8 && view.getUint32(at + 4) === 0x45786966;
    if (isExif) {
      const start = at + 10;
      const end = Math.min(at + 2 + length, view.byteLength);
      return new DataView(view.buffer, view.byteOffset + start, end - start);
    }
    at += 2 + length;
  }
  return undefined;
}

function exifOf(tiff: DataView): Exif {
  const isLittle = tiff.getUint16(0) === 0x4949;
  const main = readFields(tiff, tiff.getUint32(4, isLittle), isLittle);
  const below = (tag: number): Fields => {
    const offset = numberOf(main, tag);
    return offset === undefined ? new Map() : readFields(tiff, offset, isLittle);
  };
  const photo = below(0x8769);
  const gps = below(0x8825);
  const [make, model] = [textOf(main, 0x010f), textOf(main, 0x0110)];
  return given({
    camera: model?.startsWith(make ?? " ") ? model : [make, model].filter(Boolean).join(" "),
    lens: textOf(photo, 0xa434),
    takenAt: textOf(photo, 0x9003),
    exposure: numberOf(photo, 0x829a),
    aperture: numberOf(photo, 0x829d),
    iso: numberOf(photo, 0x8827),
    focalLength: numberOf(photo, 0x920a),
    latitude: degreesOf(gps, 0x0002, textOf(gps, 0x0001) === "S"),
    longitude: degreesOf(gps, 0x0004, textOf(gps, 0x0003) === "W"),
  });
}

function readFields(tiff: DataView, start: number, isLittle: boolean): Fields {
  const fields = new Map<number, string | number[]>();
  const count = Math.min(tiff.getUint16(start, isLittle), MAX_FIELDS);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + 12 * index;
    const type = tiff.getUint16(at + 2, isLittle);
    const values = Math.min(tiff.getUint32(at + 4, isLittle), MAX_FIELDS);
    const size = { 2: 1, 3: 2, 4: 4, 5: 8 }[type];
    if (size === undefined) continue;
    const place = size * values <= 4 ? at + 8 : tiff.getUint32(at + 8, isLittle);
    const read = (each: number): number => {
      const from = place + each * size;
      if (type === 2) return tiff.getUint8(from);
      if (type === 3) return tiff.getUint16(from, isLittle);
      const whole = tiff.getUint32(from, isLittle);
      return type === 4 ? whole : whole / tiff.getUint32(from + 4, isLittle);
    };
    const found = Array.from({ length: values }, (_, each) => read(each));
    fields.set(tiff.getUint16(at, isLittle), type === 2 ? textFrom(found) : found);
  }
  return fields;
}

/** Up to the first NUL. */
function textFrom(codes: readonly number[]): string {
  const end = codes.indexOf(0);
  const bytes = Uint8Array.from(end < 0 ? codes : codes.slice(0, end));
  return new TextDecoder().decode(bytes).trim();
}

function textOf(fields: Fields, tag: number): string | undefined {
  const value = fields.get(tag);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(fields: Fields, tag: number): number | undefined {
  const value = fields.get(tag);
  const number = typeof value === "string" ? undefined : value?.[0];
  return Number.isFinite(number) ? number : undefined;
}

function degreesOf(fields: Fields, tag: number, isNegative: boolean): number | undefined {
  const value = fields.get(tag);
  if (typeof value === "string" || value === undefined) return undefined;
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = value;
  const sum = degrees + minutes / 60 + seconds / 3600;
  if (!Number.isFinite(sum)) return undefined;
  return isNegative ? -sum : sum;
}

/** Without the fields that are undefined or empty. */
function given(fields: { [Field in keyof Exif]?: Exif[Field] | undefined }): Exif {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""),
  );
}
