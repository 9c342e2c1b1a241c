import {
  type Address,
  type AddressRange,
  isInRange,
  parseAddress,
  parseRange,
} from "./ip-address.ts";

/**
 * The client's address: the socket's, or, when the socket is a trusted proxy, the rightmost address
 * of X-Forwarded-For that is not a trusted proxy. IPv4-mapped addresses become IPv4.
 */
export type ClientAddress = (socket: string, xForwardedFor: string | null) => string;

/** Whether the address of a socket is that of a trusted proxy. */
export type IsTrustedProxy = (socket: string) => boolean;

/** `trusted`: as for `createClientAddress`. */
export function createIsTrustedProxy(trusted: readonly string[]): IsTrustedProxy {
  const ranges = trusted.map(requireRange);
  return (socket) => {
    const address = parseAddress(socket);
    return address !== undefined && ranges.some((range) => isInRange(address, range));
  };
}

/** Whether `entry` is an address or a range in CIDR notation. */
export function isProxyEntry(entry: string): boolean {
  return parseRange(entry) !== undefined;
}

interface Hop {
  readonly address: string;
  readonly trusted: boolean;
}

/** Room for the proxies and recent clients. */
const MAX_CACHED_HOPS = 4096;

/**
 * `trusted`: addresses and ranges. Error: one of them is neither.
 *
 * Reads the header from the right, where the nearest proxy appends, up to the first address that is
 * not trusted: everything to its left may be forged by the client. A malformed entry ends the reading
 * too; the client is then the last known proxy.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (socket) => unmapped(socket);
  const ranges = trusted.map(requireRange);
  const isTrusted = (address: Address): boolean =>
    ranges.some((range) => isInRange(address, range));
  const hopCache = new Map<string, Hop>();

  function hopOf(text: string): Hop | undefined {
    const cached = hopCache.get(text);
    if (cached !== undefined) return cached;
    const address = parseAddress(text);
    if (address === undefined) return undefined;
    const hop = { address: address.toString(), trusted: isTrusted(address) };
    if (hopCache.size >= MAX_CACHED_HOPS) hopCache.clear();
    hopCache.set(text, hop);
    return hop;
  }

  return (socket, xForwardedFor) => {
    let client = hopOf(socket);
    if (client === undefined) return socket;
    let end = xForwardedFor?.length ?? 0;
    while (client.trusted && xForwardedFor !== null && end > 0) {
      const comma = xForwardedFor.lastIndexOf(",", end - 1);
      const hop = hopOf(withoutPort(xForwardedFor.slice(comma + 1, end).trim()));
      if (hop === undefined) break;
      client = hop;
      end = comma;
    }
    return client.address;
  };
}

function requireRange(entry: string): AddressRange {
  const range = parseRange(entry);
  if (range !== undefined) return range;
  throw new Error(
    `"${entry}" is not a valid trusted proxy: give an address or a range, such as 10.0.0.0/8.`,
  );
}

/** The key that a client's requests are counted under: an IPv6 /64 network counts as one client. */
export function rateKey(address: string): string {
  if (!address.includes(":")) return address;
  const parsed = parseAddress(address);
  if (parsed === undefined || !("parts" in parsed)) return parsed?.toString() ?? address;
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return network.join(":");
}

const MAPPED = "::ffff:";

/** A dual-stack socket reports IPv4 clients as IPv4-mapped addresses. */
const unmapped = (address: string): string =>
  address.startsWith(MAPPED) && address.includes(".") ? address.slice(MAPPED.length) : address;

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const match = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop);
  return match?.[1] ?? match?.[2] ?? hop;
}
