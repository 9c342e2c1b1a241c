/** The shades of a color that pages use. */
export interface AccentShades {
  readonly accent: string;
  /** Under the pointer. */
  readonly strong: string;
  /** Text on the accent. */
  readonly ink: string;
  /** A tint of the page behind text in the accent. */
  readonly soft: string;
  readonly line: string;
}

/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5;
const STEPS = 50;

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/**
 * The backgrounds on which text has the accent: the page and what lies nearest to the accent on it. They match
 * `--canvas` and `--press` of the style sheets.
 */
const THEMES = {
  light: { canvas: WHITE, press: [0xeb, 0xeb, 0xe9], towards: BLACK },
  dark: { canvas: [0x0f, 0x11, 0x13], press: [0x23, 0x27, 0x2b], towards: WHITE },
} as const satisfies Record<string, { canvas: Rgb; press: Rgb; towards: Rgb }>;

export type Theme = keyof typeof THEMES;

/**
 * The shades of a color, `#rrggbb`, for light or dark pages. Where text in the color could not be read, they come from
 * a darker or lighter one.
 */
export function accentShades(color: string, theme: Theme): AccentShades {
  const { canvas, press, towards } = THEMES[theme];
  const given = parseHex(color);
  const isReadable = (shade: Rgb): boolean =>
    [canvas, press, softOf(shade, canvas)].every((back) => contrast(shade, back) >= READABLE);
  let accent = given;
  for (let step = 0; step <= STEPS && !isReadable(accent); step += 1) {
    accent = mix(given, towards, step / STEPS);
  }
  const [best, other] = theme === "light" ? [WHITE, BLACK] : [mix(accent, BLACK, 0.85), WHITE];
  return {
    accent: toHex(accent),
    strong: toHex(mix(accent, towards, 0.2)),
    ink: toHex(contrast(best, accent) >= READABLE ? best : other),
    soft: toHex(softOf(accent, canvas)),
    line: toHex(mix(accent, canvas, 0.65)),
  };
}

const softOf = (accent: Rgb, canvas: Rgb): Rgb => mix(accent, canvas, 0.88);

/** The contrast of two colors, `#rrggbb`, as WCAG defines it: 1 to 21. */
export const contrastOf = (one: string, other: string): number =>
  contrast(parseHex(one), parseHex(other));

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mix = ([r, g, b]: Rgb, [r2, g2, b2]: Rgb, share: number): Rgb => [
  r + (r2 - r) * share,
  g + (g2 - g) * share,
  b + (b2 - b) * share,
];

function parseHex(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const toHex = (color: Rgb): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
