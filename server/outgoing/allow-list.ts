import { type AddressRange, isInRange, parseAddress, parseRange } from "../limits/ip-address.ts";
import { judgeAddress } from "./judge-address.ts";

/** An entry of `OUTGOING_ALLOW`: a host name or a range of addresses, perhaps with a port. */
export interface AllowedTarget {
  /** In lower case, without a final dot. */
  readonly host?: string;
  readonly range?: AddressRange;
  /** undefined: any. */
  readonly port?: number;
}

/** undefined: not an entry. */
export function parseAllowed(text: string): AllowedTarget | undefined {
  const whole = parseRange(text);
  if (whole !== undefined) return { range: whole };
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const target = match?.[1] ?? match?.[2] ?? "";
  const port = match?.[3] === undefined ? undefined : Number(match[3]);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const rest = port === undefined ? {} : { port };
  const range = parseRange(target);
  if (range !== undefined) return { range, ...rest };
  const host = target.toLowerCase().replace(/\.$/, "");
  const isName = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(host) && !/^[\d.]+$/.test(host);
  return isName && host.length <= 253 ? { host, ...rest } : undefined;
}

/** Whether the server may connect to the address, to which the host of a URL has resolved. */
export function mayReach(
  {
    host,
    address,
    port,
  }: { readonly host: string; readonly address: string; readonly port: number },
  allowed: readonly AllowedTarget[],
): boolean {
  const reach = judgeAddress(address);
  if (reach !== "private") return reach === "public";
  const parsed = parseAddress(address);
  const name = host.toLowerCase().replace(/\.$/, "");
  return allowed.some(
    (each) =>
      (each.port === undefined || each.port === port) &&
      (each.host === name ||
        (each.range !== undefined && parsed !== undefined && isInRange(parsed, each.range))),
  );
}
