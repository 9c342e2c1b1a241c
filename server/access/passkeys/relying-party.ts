import { isIP } from "node:net";
import { Fault } from "../../domain/faults/fault.ts";

/** The site that passkeys belong to (WebAuthn, "relying party"). */
export interface RelyingParty {
  /** The host name, without a port. */
  readonly host: string;
  /** As browsers name the page in what the authenticator signs. */
  readonly origin: string;
}

export interface PageRequest {
  /** Headers of a request that `sameOrigin` accepts; null: absent. */
  readonly hostHeader: string | null;
  readonly originHeader: string | null;
  /** The configured origin; null: that of the request. */
  readonly publicOrigin: string | null;
}

/** undefined: the request names no host. */
export function relyingPartyOf(request: PageRequest): RelyingParty | undefined {
  const { hostHeader, originHeader, publicOrigin } = request;
  const url = URL.parse(publicOrigin ?? originHeader ?? `http://${hostHeader ?? ""}`);
  return url === null || url.hostname === ""
    ? undefined
    : { host: url.hostname, origin: url.origin };
}

/** Fault "invalid": browsers refuse passkeys there, whatever the server says. */
export function rejectUnusableHost({ host, origin }: RelyingParty): void {
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0) {
    throw new Fault(
      "invalid",
      "Passkeys need a host name: browsers don't allow them for an IP address.",
    );
  }
  if (!origin.startsWith("https:") && host !== "localhost" && !host.endsWith(".localhost")) {
    throw new Fault("invalid", "Passkeys need HTTPS: browsers don't allow them without.");
  }
}
