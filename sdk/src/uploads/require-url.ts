import { parseUrl } from "../connection/parse-url.ts";
import type { Transport } from "../connection/transport.ts";

/**
 * The absolute URL of an upload or a batch of this server. TypeError: it is something else, so nothing
 * is sent. The message does not repeat the URL, which may contain a secret.
 */
export function requireUrl(transport: Transport, kind: "uploads" | "batches", url: string): string {
  const start = new URL(transport.absoluteUrl(`/api/${kind}/`)).href;
  const absolute = parseUrl(transport.absoluteUrl(url))?.href ?? "";
  const rest = absolute.startsWith(start) ? absolute.slice(start.length) : "";
  if (/^[^/?#]+$/.test(rest)) return absolute;
  throw new TypeError(
    `\`url\` must be ${kind === "uploads" ? "an upload" : "a batch"} URL: ${start}…`,
  );
}
