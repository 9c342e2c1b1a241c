import type { LogoObject } from "../../contract/api.ts";
import type { BaseClient } from "./base-client.ts";
import type { CallOptions } from "./connection/options.ts";

export type { LogoObject } from "../../contract/api.ts";

/** The logo of the instance. Every method throws a `HoldallError` if the request fails. */
export interface Logo {
  /** null: there is none. */
  read(options?: CallOptions): Promise<LogoObject | null>;
  /** A PNG, JPEG or WebP image of at most 1 MiB. */
  put(image: Blob, options?: CallOptions): Promise<LogoObject | null>;
  remove(options?: CallOptions): Promise<null>;
}

export function logoOf(holdall: Pick<BaseClient, "call">): Logo {
  return {
    read: async ({ signal } = {}) => (await holdall.call("readLogo", { signal })).logo,
    async put(image, { signal } = {}) {
      const headers = { "Content-Type": image.type || "application/octet-stream" };
      return (await holdall.call("putLogo", { content: image, headers, signal })).logo;
    },
    async remove({ signal } = {}) {
      await holdall.call("removeLogo", { signal });
      return null;
    },
  };
}
