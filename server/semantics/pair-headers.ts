const PAIR_PREFIX = "x-";
const S3_PAIR_PREFIX = "x-amz-meta-";

/**
 * The pairs of metadata as headers. With the prefix, they cannot replace a header that means something.
 * Metadata of S3 clients has one of its own.
 */
export function pairHeaders(metadata: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata)) {
    if (name.startsWith(S3_PAIR_PREFIX)) headers[name] = value;
    else if (name.startsWith(PAIR_PREFIX))
      headers[`X-Meta-${name.slice(PAIR_PREFIX.length)}`] = value;
  }
  return headers;
}
