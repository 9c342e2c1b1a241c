import { parseRange } from "../../limits/ip-address.ts";
import { type Advice, error, warning } from "../advice.ts";
import type { Config } from "../config.ts";
import { isLoopback } from "./examine-addresses.ts";

/* Who can reach the server, and through what. */

/** No private network is larger: these are the sizes of 10.0.0.0/8 and fc00::/7. */
const MIN_BITS = { ipv4: 8, ipv6: 7 } as const;

/** Also half of the addresses, or those that stand for IPv4. */
function isEverybody(entry: string): boolean {
  const range = parseRange(entry);
  return range !== undefined && range.bits < MIN_BITS[range.network.kind()];
}

export function examineTrustedProxies({ trustedProxies }: Config): Advice[] {
  const everybody = trustedProxies.find(isEverybody);
  if (everybody === undefined) return [];
  return [
    error(
      `TRUSTED_PROXIES contains ${everybody}, which is nearly everybody: each request can claim to come from any client, so neither the rate limits nor the delay after wrong passwords work.`,
      "List only the addresses of your own proxies.",
    ),
  ];
}

/** HOST, PUBLIC_URL, NODE_ENV and TRUSTED_PROXIES together. */
export function examineReach(config: Config): Advice[] {
  return [...examineEncryption(config), ...examineProduction(config), ...examineProxy(config)];
}

/** Whether other machines are meant to reach the server. */
const isOpen = ({ host, publicUrl }: Config): boolean =>
  !isLoopback(host) || (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname));

function examineEncryption(config: Config): Advice[] {
  const { host, publicUrl } = config;
  if (!isOpen(config)) return [];
  if (publicUrl === null) {
    return [
      error(
        `HOST is ${host}, so other machines can reach the server, and PUBLIC_URL is not set: passwords, keys and files travel unencrypted, and the session cookie is not marked Secure.`,
        "Put a proxy with TLS in front, set PUBLIC_URL to its https address, and HOST to 127.0.0.1 if it runs on this machine.",
      ),
    ];
  }
  if (publicUrl.startsWith("http:")) {
    return [
      error(
        "PUBLIC_URL begins with http: passwords, keys and files travel unencrypted.",
        "Enable TLS in the proxy and set PUBLIC_URL to its https address.",
      ),
    ];
  }
  if (isLoopback(host)) return [];
  return [
    warning(
      `HOST is ${host}: clients that can reach this machine can bypass the proxy, without TLS.`,
      "Set HOST to 127.0.0.1 if the proxy runs on this machine, or let only the proxy reach the port.",
    ),
  ];
}

function examineProduction(config: Config): Advice[] {
  if (config.production || !isOpen(config)) return [];
  return [
    warning(
      "NODE_ENV is not production: an AUTH_SECRET that is too short only logs a warning.",
      "Set NODE_ENV to production.",
    ),
  ];
}

function examineProxy({ host, publicUrl, trustedProxies }: Config): Advice[] {
  if (publicUrl === null || !isLoopback(host) || trustedProxies.length > 0) return [];
  return [
    error(
      "PUBLIC_URL is set and only this machine can reach HOST, so there is a proxy in front, but TRUSTED_PROXIES is empty: all visitors count as one client and share its rate limit and its wrong passwords.",
      "Set TRUSTED_PROXIES to the address of the proxy, such as 127.0.0.1, and let it send X-Forwarded-For.",
    ),
  ];
}
