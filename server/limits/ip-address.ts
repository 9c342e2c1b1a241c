import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Room for an IPv6 address with a zone. */
const MAX_LENGTH = 64;

/**
 * Parses an IPv4 address of four decimal numbers, or IPv6 with or without a zone, which is dropped.
 * IPv4-mapped addresses become IPv4. undefined: not an address.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // The library also takes `127.1`, `0x7f.1` and `010.0.0.1`, which other programs interpret differently.
  if (!text.includes(":")) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  }
  const zone = text.indexOf("%");
  const bare = zone === -1 ? text : text.slice(0, zone);
  if (!ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** A CIDR range: the addresses whose first `bits` equal those of `network`. */
export interface AddressRange {
  readonly network: Address;
  readonly bits: number;
}

/** Parses an address or a range in CIDR notation. undefined: neither. */
export function parseRange(text: string): AddressRange | undefined {
  const match = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text);
  const network = parseAddress(match?.[1] ?? "");
  if (network === undefined) return undefined;
  const maxBits = network.kind() === "ipv4" ? 32 : 128;
  if (match?.[2] === undefined) return { network, bits: maxBits };
  // `::ffff:10.0.0.0/104` has the prefix length of IPv6 and means 10.0.0.0/8.
  const isMapped = maxBits === 32 && text.includes(":");
  const bits = Number(match[2]) - (isMapped ? 96 : 0);
  return bits >= 0 && bits <= maxBits ? { network, bits } : undefined;
}

export function isInRange(address: Address, { network, bits }: AddressRange): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
