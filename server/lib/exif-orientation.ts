/** How the pixels have to be turned or mirrored, as EXIF numbers it; 1: they are upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;

/** Reads the orientation of EXIF data, which are a TIFF file (TIFF 6.0, section 2). 1 if there is none. */
export function exifOrientation(exif: Uint8Array): Orientation {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  if (exif.length < 14) return 1;
  const isLittle = exif[0] === 0x49;
  const first = view.getUint32(4, isLittle);
  if (first + 2 > exif.length) return 1;
  const count = view.getUint16(first, isLittle);
  for (let at = first + 2; at < first + 2 + count * ENTRY_BYTES; at += ENTRY_BYTES) {
    if (at + ENTRY_BYTES > exif.length) return 1;
    if (view.getUint16(at, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(at + 8, isLittle);
    return isOrientation(value) ? value : 1;
  }
  return 1;
}

const isOrientation = (value: number): value is Orientation => value >= 1 && value <= 8;
