import type { Transport } from "../connection/transport.ts";

const KINDS = {
  uploads: "an upload URL, which `uploads.create` returns",
  batches: "a batch URL, which `batches.create` returns",
} as const;

/**
 * The absolute URL of an upload or a batch of this server. TypeError: it is something else, so nothing
 * is sent. The message does not repeat the URL, which may contain a secret.
 */
export function requireUrl(transport: Transport, kind: keyof typeof KINDS, url: string): string {
  const start = new URL(transport.absoluteUrl(`/api/${kind}/`)).href;
  const absolute = parse(transport, url)?.href ?? "";
  const rest = absolute.startsWith(start) ? absolute.slice(start.length) : "";
  if (/^[^/?#]+$/.test(rest)) return absolute;
  throw new TypeError(`\`url\` must be ${KINDS[kind]}: ${start}…`);
}

function parse(transport: Transport, url: string): URL | undefined {
  try {
    return new URL(transport.absoluteUrl(url));
  } catch {
    return undefined;
  }
}
