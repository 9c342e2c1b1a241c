import { createReadStream } from "node:fs";
import { parseAddress } from "../../limits/ip-address.ts";

/** The other end of a connection. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** Returns how many bytes the kernel holds for a peer that has not acknowledged them yet. */
export type SendQueues = (peer: Peer) => number | undefined;

/** One file for each version of IP. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** Number, local port, address and port of the peer, state, length of the queue. */
const ROW = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/;
const MAPPED_IPV4 = "0000000000000000FFFF0000";

/** The queues of all connections to a local port. Only Linux has them; elsewhere every one is undefined. */
export async function readSendQueues(localPort: number): Promise<SendQueues> {
  const port = hexPort(localPort);
  const queues = new Map<string, number>();
  for (const path of TABLES) {
    for await (const row of rowsOf(path)) {
      const [, local, address, peerPort, queue] = ROW.exec(row) ?? [];
      if (local !== port || address === undefined || queue === undefined) continue;
      const bare = address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : address;
      queues.set(`${bare}:${peerPort}`, Number.parseInt(queue, 16));
    }
  }
  return (peer) => queues.get(`${hexAddress(peer.address)}:${hexPort(peer.port)}`);
}

/** Reads piece by piece: with thousands of connections, other requests go on meanwhile. */
async function* rowsOf(path: string): AsyncGenerator<string, void, void> {
  let rest = "";
  try {
    for await (const text of createReadStream(path, "latin1")) {
      const rows = `${rest}${text}`.split("\n");
      rest = rows.pop() ?? "";
      yield* rows;
    }
  } catch {
    // Another system, or a container that hides the file.
  }
}

const hexPort = (port: number): string => hex(port, 4);

/** As the kernel prints it: words of 32 bits in the byte order of the machine, which is little-endian. */
function hexAddress(address: string): string {
  const bytes = parseAddress(address)?.toByteArray() ?? [];
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    for (let byte = 3; byte >= 0; byte -= 1) text += hex(bytes[at + byte] ?? 0, 2);
  }
  return text;
}

const hex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, "0");
