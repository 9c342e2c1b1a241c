import type { LogoObject, SettingsChange, SettingsObject } from "../../contract/api.ts";
import { call, reads, sends } from "./call.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** The settings that can change while the server runs. Every method throws a `HoldallError` if the request fails. */
export interface Settings {
  read(options?: CallOptions): Promise<SettingsObject>;
  /** Changes the given settings; null restores the default. 409: the environment sets one of them. */
  change(changes: SettingsChange, options?: CallOptions): Promise<SettingsObject>;
  /** null: there is none. */
  logo(options?: CallOptions): Promise<LogoObject | null>;
  /** A PNG, JPEG or WebP image of at most 1 MiB. */
  putLogo(image: Blob, options?: CallOptions): Promise<LogoObject | null>;
  removeLogo(options?: CallOptions): Promise<null>;
}

export function createSettings(transport: Transport): Settings {
  return {
    read: reads(transport, "readSettings", "settings"),
    change: sends(transport, "changeSettings", "settings"),
    logo: reads(transport, "readLogo", "logo"),
    async putLogo(image, { signal } = {}) {
      const headers = { "Content-Type": image.type || "application/octet-stream" };
      return (await call(transport, "putLogo", { content: image, headers, signal })).logo;
    },
    async removeLogo({ signal } = {}) {
      await call(transport, "removeLogo", { signal });
      return null;
    },
  };
}
