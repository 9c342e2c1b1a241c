/*
 * OpenAPI components that the two operations with a file response share: RFC 9110, sections 13
 * (conditional requests) and 14 (range requests).
 */

const text = (description: string, example?: string) => ({
  description,
  schema: { type: "string", ...(example === undefined ? {} : { examples: [example] }) },
});

/** Request headers, by their names in `components.parameters`. */
export const deliveryParameters = {
  Range: {
    name: "Range",
    in: "header",
    ...text(
      "A single byte range: `bytes=0-99`, `bytes=100-` or `bytes=-100`. An end past the last byte is clamped. The server ignores several ranges, other units and malformed values and sends the complete file.",
      "bytes=0-99",
    ),
  },
  IfRange: {
    name: "If-Range",
    in: "header",
    ...text(
      "Applies the range only if this value matches the file's `ETag` (strong comparison) or equals its `Last-Modified`; otherwise the server sends the complete file. Public files only.",
    ),
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    ...text(
      "Responds 412 unless the value is `*` or lists the file's `ETag` (strong comparison). Public files only.",
    ),
  },
  IfUnmodifiedSince: {
    name: "If-Unmodified-Since",
    in: "header",
    ...text(
      "Responds 412 if the content was stored after this time. Ignored if `If-Match` is present. Public files only.",
      "Sat, 31 Jan 2026 09:30:00 GMT",
    ),
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    ...text(
      "Responds 304 if the value is `*` or lists the file's `ETag`. Takes precedence over `If-Modified-Since`. Public files only.",
    ),
  },
  IfModifiedSince: {
    name: "If-Modified-Since",
    in: "header",
    ...text(
      "Responds 304 unless the content was stored after this time. Public files only.",
      "Sat, 31 Jan 2026 09:30:00 GMT",
    ),
  },
  WantReprDigest: {
    name: "Want-Repr-Digest",
    in: "header",
    ...text(
      "Asks for `Repr-Digest` with `sha-256` and a preference of 1 to 10 (RFC 9530). Public files have it regardless.",
      "sha-256=1",
    ),
  },
};

/** Response headers, by their names in `components.headers`. */
export const deliveryHeaders = {
  "Accept-Ranges": { description: "Always `bytes`.", schema: { const: "bytes" } },
  "Cache-Control": text(
    "`public, max-age=HOSTING_CACHE_MAX_AGE, must-revalidate` for public files, `private, no-store` for private ones.",
    "public, max-age=0, must-revalidate",
  ),
  "Content-Disposition": text(
    "`inline` or `attachment`, with the file's name (RFC 6266).",
    'attachment; filename="harbour.jpg"',
  ),
  "Content-Length": {
    description: "Number of bytes in the response.",
    schema: { type: "integer", minimum: 0 },
  },
  "Content-Range": text(
    "The range that is sent and the size of the file; `bytes */SIZE` with 416.",
    "bytes 0-99/2048",
  ),
  "Content-Security-Policy": {
    description: "Isolates hosted pages from this site.",
    schema: { const: "sandbox" },
  },
  ETag: text("A strong validator. Public files only.", '"800-19c12a4f5d0"'),
  "Last-Modified": text(
    "Time at which the content was stored. Public files only.",
    "Sat, 31 Jan 2026 09:30:00 GMT",
  ),
  "Repr-Digest": text(
    "The SHA-256 of the complete file, also with 206 (RFC 9530). For private files only if `Want-Repr-Digest` asks for it; absent as long as the digest is unknown.",
    "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:",
  ),
  "X-Content-Type-Options": {
    description: "Tells browsers not to guess the media type.",
    schema: { const: "nosniff" },
  },
};

const refer = (...names: (keyof typeof deliveryHeaders)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** On every response with a file and on every failure. */
export const securityHeaders = refer("Content-Security-Policy", "X-Content-Type-Options");
const validators = refer("Cache-Control", "ETag", "Last-Modified");
const bytes = { "*/*": { schema: { type: "string", format: "binary" } } };
const fileHeaders = {
  ...refer("Accept-Ranges", "Content-Disposition", "Content-Length", "Repr-Digest"),
  ...validators,
  ...securityHeaders,
};

/** The successful responses, by status. */
export const deliveryResponses = {
  200: {
    description: "The complete file. The response to `HEAD` has the same headers and no body.",
    headers: fileHeaders,
    content: bytes,
  },
  206: {
    description: "The requested range.",
    headers: { ...fileHeaders, ...refer("Content-Range") },
    content: bytes,
  },
  304: {
    description: "The client's cached copy is current. No body.",
    headers: { ...validators, ...securityHeaders },
  },
};

/** Headers of 416. */
export const rangeNotSatisfiableHeaders = {
  ...refer("Accept-Ranges", "Content-Range"),
  ...securityHeaders,
};
