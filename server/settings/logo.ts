import { createHash } from "node:crypto";

/** The logo of the instance, without its bytes. */
export interface Logo {
  /** Another logo has another version: 16 hexadecimal digits. */
  readonly version: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** A logo as WebP. */
export interface NewLogo extends Pick<Logo, "width" | "height"> {
  readonly bytes: Uint8Array;
}

/** The settings in the catalog that hold the logo. Only the first is polled. */
export const LOGO = "logo";
export const LOGO_BYTES = "logoBytes";

/** The stored texts of a logo; null removes both. */
export function logoTexts(logo: NewLogo | null): Record<string, string | null> {
  if (logo === null) return { [LOGO]: null, [LOGO_BYTES]: null };
  const { bytes, width, height } = logo;
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return {
    [LOGO]: `${version} ${width} ${height}`,
    [LOGO_BYTES]: Buffer.from(bytes).toString("base64"),
  };
}

/** null: there is none, or another version of Holdall has written something else. */
export function parseLogo(text: string | undefined): Logo | null {
  const [, version, width, height] = /^([0-9a-f]{16}) (\d{1,4}) (\d{1,4})$/.exec(text ?? "") ?? [];
  if (version === undefined) return null;
  return { version, width: Number(width), height: Number(height) };
}
