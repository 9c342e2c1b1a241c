const UNITS = ["b", "kb", "mb", "gb", "tb"];

/** Bytes in a size such as `500mb` (of 1024²), `5gb` or `1000`; undefined: it is not a size. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,15})\s*(b|kb|mb|gb|tb)?$/i.exec(text);
  if (match === null) return undefined;
  const exponent = UNITS.indexOf((match[2] ?? "b").toLowerCase());
  const bytes = Number(match[1]) * 1024 ** exponent;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** The shortest text that `parseSize` reads as this number of bytes. */
export function sizeText(bytes: number): string {
  const exponent = UNITS.findLastIndex((_, at) => bytes > 0 && bytes % 1024 ** at === 0);
  return exponent < 1 ? String(bytes) : `${bytes / 1024 ** exponent}${UNITS[exponent]}`;
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Milliseconds in a duration such as `30d`, `12h`, `90m` or `45s`; undefined: it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})\s*([smhdw])$/i.exec(text);
  for (const [unit, seconds] of Object.entries(SECONDS)) {
    if (match?.[2]?.toLowerCase() === unit) return Number(match[1]) * seconds * 1000;
  }
  return undefined;
}
