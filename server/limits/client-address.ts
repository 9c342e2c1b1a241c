import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;

/**
 * Whose request it is: the socket's address, or, when that is a trusted proxy's, the rightmost
 * address of X-Forwarded-For that is not. IPv4-mapped addresses are IPv4.
 */
export type ClientAddress = (socket: string, xForwardedFor: string | null) => string;

/** Whether `entry` is an address or a range in CIDR notation. */
export function isProxyEntry(entry: string): boolean {
  return entry.includes("/") ? ipaddr.isValidCIDR(entry) : isStrictAddress(entry);
}

/** `trusted`: addresses and ranges, each of which `isProxyEntry` accepts. */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const ranges = trusted.map(parseRange);
  const isTrusted = (address: Address): boolean =>
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));

  return (socket, xForwardedFor) => {
    if (ranges.length === 0 || xForwardedFor === null) return plain(socket);
    let client = plain(socket);
    const hops = xForwardedFor.split(",").map((hop) => hop.trim());
    while (isStrictAddress(client) && isTrusted(ipaddr.process(client))) {
      const hop = hops.pop();
      // What is no address was not written by a proxy that is to be believed.
      if (hop === undefined || !isStrictAddress(hop)) break;
      client = ipaddr.process(hop).toString();
    }
    return client;
  };
}

/** What a client's requests are counted under: an IPv6 network of 64 bits is one client. */
export function rateKey(address: string): string {
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return parts.map((part) => part.toString(16)).join(":");
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The runtime gives IPv4 clients of a socket for both kinds as IPv4-mapped. */
const plain = (address: string): string => MAPPED.exec(address)?.[1] ?? address;

/** Without the library's liking for octal, hexadecimal and shortened forms. */
function isStrictAddress(text: string): boolean {
  return text.includes(":") ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
}

function parseRange(entry: string): [Address, number] {
  if (!entry.includes("/")) {
    const address = ipaddr.process(entry);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  const [range, bits] = ipaddr.parseCIDR(entry);
  return [range, bits];
}
