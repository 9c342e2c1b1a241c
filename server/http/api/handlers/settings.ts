import type { LogoObject } from "../../../../contract/api.ts";
import type { settingsOperations } from "../../../../contract/operations/settings.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import type { Images } from "../../../images/images.ts";
import { readImageHeader } from "../../../lib/image-header.ts";
import type { Logo } from "../../../settings/logo.ts";
import type { Settings } from "../../../settings/settings.ts";
import { logoPath } from "../../brand/brand.ts";
import { readBytes } from "../input.ts";
import type { Handlers } from "./handler.ts";

const MAX_LOGO_BYTES = 1024 ** 2;
/** Pages show it at most half as wide and high, so that it is sharp on dense screens. */
const LOGO_RENDERING = { edge: 320, quality: 85, format: "webp" } as const;

export function settingsHandlers(
  settings: Settings,
  images: Pick<Images, "encode">,
): Handlers<keyof typeof settingsOperations> {
  const current = () => ({ logo: logoObject(settings.logo()) });

  return {
    async readSettings() {
      return { settings: settings.describe() };
    },

    async changeSettings({ body }) {
      if (Object.values(body).every((value) => value === undefined)) {
        const names = Object.keys(settings.describe()).map((name) => `\`${name}\``);
        throw new Fault("invalid", `Give at least one setting: ${names.join(", ")}.`);
      }
      await settings.change(body);
      return { settings: settings.describe() };
    },

    async readLogo() {
      return current();
    },

    async putLogo({ request, requireStillAuthenticated }) {
      const given = new Uint8Array(await readBytes(request, MAX_LOGO_BYTES));
      const bytes = await images.encode(given, LOGO_RENDERING);
      const header = readImageHeader(bytes);
      if (typeof header !== "object") throw new Error("The encoded logo has no header");
      await requireStillAuthenticated();
      await settings.changeLogo({ bytes, width: header.width, height: header.height });
      return current();
    },

    async removeLogo() {
      await settings.changeLogo(null);
      return current();
    },
  };
}

function logoObject(logo: Logo | null): LogoObject | null {
  if (logo === null) return null;
  const { width, height } = logo;
  return { url: logoPath(logo), width, height };
}
