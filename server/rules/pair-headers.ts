const PAIR_PREFIX = "x-";

/** The pairs of metadata as headers. With the prefix, they cannot replace a header that means something. */
export function pairHeaders(metadata: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata)) {
    if (name.startsWith(PAIR_PREFIX)) headers[`X-Meta-${name.slice(PAIR_PREFIX.length)}`] = value;
  }
  return headers;
}
