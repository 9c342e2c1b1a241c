import type { Logo } from "../../settings/logo.ts";
import type { Settings } from "../../settings/settings.ts";

/** How pages show whose instance this is. */
export interface Brand {
  /** Empty: Holdall. */
  readonly name: string;
  /** `#rrggbb`, or empty: Holdall's. */
  readonly color: string;
  /** null: none. */
  readonly logo: Logo | null;
}

export const brandOf = (settings: Pick<Settings, "current" | "logo">): Brand => {
  const { instanceName: name, accentColor: color } = settings.current();
  return { name, color: color.toLowerCase(), logo: settings.logo() };
};

export const NO_BRAND: Brand = { name: "", color: "", logo: null };

/** The path of the logo, below the site. */
export const logoPath = ({ version }: Logo): string => `brand/logo-${version}.webp`;

/** The path of a style sheet with the shades of a color, below the site. */
export const colorPath = (color: string): string => `brand/colors-${color.slice(1)}.css`;

/** The title of a page, with the name of the instance. */
export const titleWith = (title: string, { name }: Brand): string =>
  name === "" ? title : `${title} · ${name}`;
