import { type Advice, warning } from "../advice.ts";
import type { Config } from "../config.ts";

export function examineRateLimit(variable: string, requestsPerMinute: number): Advice[] {
  if (requestsPerMinute !== 0) return [];
  return [
    warning(
      `${variable} is 0: Holdall does not limit the requests of any client.`,
      "Remove it for the default limit, or make sure that the proxy limits requests.",
    ),
  ];
}

export function examineMinFreeSpace({ settings }: Config): Advice[] {
  if (settings.minFreeSpace !== 0) return [];
  return [
    warning(
      "MIN_FREE_SPACE is 0: uploads may fill the volume completely.",
      "Remove it for the default of 256 MB.",
    ),
  ];
}

export function examineLogLevel({ logLevel }: Config): Advice[] {
  if (logLevel !== "silent") return [];
  return [warning("LOG_LEVEL is silent: damage is not reported.", "Set it to info.")];
}
