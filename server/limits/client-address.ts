import { type Address, isInRange, parseAddress, parseRange } from "./ip-address.ts";

/**
 * Whose request it is: the socket's address, or, when that is a trusted proxy's, the rightmost
 * address of X-Forwarded-For that is not. IPv4-mapped addresses are IPv4.
 */
export type ClientAddress = (socket: string, xForwardedFor: string | null) => string;

/** Whether `entry` is an address or a range in CIDR notation. */
export function isProxyEntry(entry: string): boolean {
  return parseRange(entry) !== undefined;
}

interface Hop {
  readonly address: string;
  readonly trusted: boolean;
}

/** Proxies' addresses and some of their clients'. */
const MAX_REMEMBERED = 4096;

/**
 * `trusted`: addresses and ranges; an Error names the first that is neither.
 *
 * The header is read from the right, where the nearest proxy wrote, and never past an address that
 * is not trusted, because whatever stands to its left anybody may have written. What is no address
 * ends the reading too: the client is then the last proxy that is known.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (socket) => plain(socket);
  const ranges = trusted.map((entry) => {
    const range = parseRange(entry);
    if (range !== undefined) return range;
    throw new Error(
      `"${entry}" is no trusted proxy: give an address or a range, such as 10.0.0.0/8.`,
    );
  });
  const isTrusted = (address: Address): boolean =>
    ranges.some((range) => isInRange(address, range));
  const remembered = new Map<string, Hop>();

  function hopOf(text: string): Hop | undefined {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const address = parseAddress(text);
    if (address === undefined) return undefined;
    const hop = { address: address.toString(), trusted: isTrusted(address) };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(text, hop);
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

/** What a client's requests are counted under: an IPv6 network of 64 bits is one client. */
export function rateKey(address: string): string {
  if (!address.includes(":")) return address;
  const parsed = parseAddress(address);
  if (parsed === undefined || !("parts" in parsed)) return parsed?.toString() ?? address;
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return network.join(":");
}

const MAPPED = "::ffff:";

/** The runtime gives IPv4 clients of a socket for both kinds as IPv4-mapped. */
const plain = (address: string): string =>
  address.startsWith(MAPPED) && address.includes(".") ? address.slice(MAPPED.length) : address;

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const match = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop);
  return match?.[1] ?? match?.[2] ?? hop;
}
