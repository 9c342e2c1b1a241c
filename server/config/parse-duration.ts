const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Milliseconds in a duration such as `30d`, `12h`, `90m` or `45s`; undefined: it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})\s*([smhdw])$/i.exec(text);
  for (const [unit, seconds] of Object.entries(SECONDS)) {
    if (match?.[2]?.toLowerCase() === unit) return Number(match[1]) * seconds * 1000;
  }
  return undefined;
}
