/** Where a server that listens on `host` answers; one on all addresses, on the machine's own too. */
export function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
