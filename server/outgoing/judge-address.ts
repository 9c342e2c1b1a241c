import ipaddr from "ipaddr.js";
import { type Address, isInRange, parseAddress, parseRange } from "../limits/ip-address.ts";

/**
 * Whether the server may connect to an address of the outside:
 *
 * - public: it may;
 * - private: only if `OUTGOING_ALLOW` names it;
 * - never: not even then. Metadata services of clouds, which hand out credentials, have link-local addresses;
 *   the others are no single machine.
 */
export type Reach = "public" | "private" | "never";

/** Public addresses at which clouds serve secrets to their own machines. */
const METADATA = ["168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd20:ce::254"].map(
  requireRange,
);
/** The only block of IPv6 from which public addresses are assigned. */
const GLOBAL_UNICAST = requireRange("2000::/3");
/** IPv4-compatible addresses, which no network has routed for decades, but systems may connect to. */
const COMPATIBLE = requireRange("::/96");
/** The gateway of a network decides what they stand for (RFC 8215). */
const LOCAL_NAT64 = requireRange("64:ff9b:1::/48");
const SIX_TO_FOUR = requireRange("2002::/16");
const NEVER: readonly string[] = ["linkLocal", "multicast", "broadcast", "unspecified"];

/** An address that cannot be parsed is "never". */
export function judgeAddress(text: string): Reach {
  // A zone names an interface of this machine.
  const address = text.includes("%") ? undefined : parseAddress(text);
  return address === undefined ? "never" : judge(address);
}

function judge(address: Address): Reach {
  const range = address.range();
  if (NEVER.includes(range) || METADATA.some((each) => isInRange(address, each))) return "never";
  const inner = address instanceof ipaddr.IPv6 ? embedded(address) : undefined;
  if (inner !== undefined) {
    const reach = judge(inner);
    if (reach === "never") return "never";
    // Where there is only IPv6, the resolver gives such addresses to all hosts with IPv4.
    return range === "rfc6052" && !isInRange(address, LOCAL_NAT64) ? reach : "private";
  }
  if (range !== "unicast") return "private";
  return address.kind() === "ipv4" || isInRange(address, GLOBAL_UNICAST) ? "public" : "private";
}

/** The IPv4 address to which a gateway, or the system itself, passes on what is sent to an IPv6 address. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const at = (offset: number): ipaddr.IPv4 | undefined => {
    const part = bytes.slice(offset, offset + 4);
    return part.length === 4 ? new ipaddr.IPv4(part) : undefined;
  };
  const range = address.range();
  if (range === "rfc6052" || range === "rfc6145" || isInRange(address, COMPATIBLE)) {
    return range === "loopback" ? undefined : at(12);
  }
  if (isInRange(address, SIX_TO_FOUR)) return at(2);
  if (range === "teredo") {
    return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  }
  // ISATAP (RFC 5214): the interface identifier is 0000:5efe or 0200:5efe, and an IPv4 address.
  const isIsatap = bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isIsatap && (bytes[8] === 0 || bytes[8] === 2) ? at(12) : undefined;
}

function requireRange(text: string) {
  const range = parseRange(text);
  if (range === undefined) throw new Error(`${text} is no range of addresses.`);
  return range;
}
