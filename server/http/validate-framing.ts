import { Fault } from "../rules/fault.ts";
import { failure, type HeaderFields } from "./reply.ts";

/*
 * Requests that the runtime lets through although RFC 9112 has them refused, because two programs
 * in a row could understand them differently. They are answered before anything is done.
 */

/** What is wrong with a request as such, whatever it asks for; undefined: nothing. */
export function validateFraming({ headers, method, url }: Request): Fault | undefined {
  if (!isHost(headers.get("host"))) {
    return invalid("The Host header must name one host, with or without a port.");
  }
  // Nobody sends a fragment (RFC 9112, section 3.2.1); what a proxy makes of one is anybody's guess.
  if (url.includes("#")) return invalid("The address must not contain `#`: send it as `%23`.");
  // The runtime reads trailers as a next request, and then answers 400 to what was carried out.
  if (headers.has("trailer")) {
    return invalid("Trailers are not taken: send what they say as headers, without `Trailer`.");
  }
  // The runtime listens no more after it, for what would go through the tunnel.
  if (method === "CONNECT") return invalid("There are no tunnels here.");
  return undefined;
}

/** 400, and nothing more is read from a connection whose sides may be out of step. */
export function refusal(flaw: Fault, headers?: HeaderFields): Response {
  return failure(flaw, { ...headers, Connection: "close" });
}

const invalid = (message: string): Fault => new Fault("invalid", message);

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** Whether it names one host, with or without a port; several headers come joined by commas. */
const isHost = (host: string | null): boolean => host === null || host === "" || HOST.test(host);
