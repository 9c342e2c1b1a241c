/** The host name, for a URL on this machine, of a server that listens on `host`. */
export function localHostOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
