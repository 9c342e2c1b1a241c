import { Fault } from "../../domain/faults/fault.ts";
import { failure } from "./reply.ts";

/*
 * Defends against request smuggling: rejects requests that RFC 9112 says must be rejected but that
 * the runtime accepts, because a proxy and this server could read their framing differently. They
 * are rejected before any other processing.
 */

/** Returns the fault of a request whose framing is unsafe; undefined if it is safe. */
export function validateFraming({ headers, method, url }: Request): Fault | undefined {
  if (!isHost(headers.get("host"))) {
    return invalid("The Host header must name exactly one host, with or without a port.");
  }
  // Clients must not send a fragment (RFC 9112, section 3.2.1), and proxies disagree about it.
  if (url.includes("#")) return invalid("The URL must not contain `#`: send it as `%23`.");
  // The runtime parses trailers as another request and responds 400 to it, after the first one ran.
  if (headers.has("trailer")) {
    return invalid("Trailers are not supported: send them as headers, without `Trailer`.");
  }
  // After CONNECT the runtime stops reading from the connection, which would become a tunnel.
  if (method === "CONNECT") return invalid("The CONNECT method is not supported.");
  return undefined;
}

/** The response to a malformed request. The two ends may disagree about where the next request starts. */
export function closing(response: Response): Response {
  response.headers.set("Connection", "close");
  return response;
}

/** 400, and closes the connection. */
export const rejectMalformed = (fault: Fault): Response => closing(failure(fault));

const invalid = (message: string): Fault => new Fault("invalid", message);

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** Most requests name the host that the one before has named. */
let lastHost: string | null = null;

/** Repeated headers arrive joined by commas, so they do not match. */
function isHost(host: string | null): boolean {
  if (host === lastHost || host === null || host === "") return true;
  if (!HOST.test(host)) return false;
  lastHost = host;
  return true;
}
