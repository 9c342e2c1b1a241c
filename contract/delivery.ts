/*
 * What the two operations that serve a file's bytes have in common, as OpenAPI components:
 * RFC 9110 sections 13 (conditions) and 14 (ranges).
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
      "One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-100`. An end past the last byte is clamped. Several ranges, another unit or a malformed value: the complete file.",
      "bytes=0-99",
    ),
  },
  IfRange: {
    name: "If-Range",
    in: "header",
    ...text(
      "The range counts only when this is still the file's `ETag` (strong comparison) or its exact `Last-Modified`; else the complete file is sent. Public files only.",
    ),
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    ...text(
      "412 unless the file's `ETag` is among these (strong comparison), or for `*`. Public files only.",
    ),
  },
  IfUnmodifiedSince: {
    name: "If-Unmodified-Since",
    in: "header",
    ...text(
      "412 when the content has been stored since. Not looked at beside `If-Match`. Public files only.",
      "Sat, 31 Jan 2026 09:30:00 GMT",
    ),
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    ...text(
      "304 when the file's `ETag` is among these, or for `*`. Takes precedence over `If-Modified-Since`. Public files only.",
    ),
  },
  IfModifiedSince: {
    name: "If-Modified-Since",
    in: "header",
    ...text(
      "304 when the content has not been stored since. Public files only.",
      "Sat, 31 Jan 2026 09:30:00 GMT",
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
    "The name of the file (RFC 6266), to be shown or, as `attachment`, to be saved.",
    'attachment; filename="harbour.jpg"',
  ),
  "Content-Length": {
    description: "Bytes in this answer.",
    schema: { type: "integer", minimum: 0 },
  },
  "Content-Range": text(
    "Which bytes these are, and the size of the file; `bytes */SIZE` with 416.",
    "bytes 0-99/2048",
  ),
  "Content-Security-Policy": {
    description: "Keeps hosted pages from running as part of this site.",
    schema: { const: "sandbox" },
  },
  ETag: text("A strong validator. Public files only.", '"800-19c12a4f5d0"'),
  "Last-Modified": text(
    "When the content was stored. Public files only.",
    "Sat, 31 Jan 2026 09:30:00 GMT",
  ),
  "X-Content-Type-Options": {
    description: "The media type is to be taken at its word.",
    schema: { const: "nosniff" },
  },
};

const refer = (...names: (keyof typeof deliveryHeaders)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const guards = refer("Content-Security-Policy", "X-Content-Type-Options");
const validators = refer("Cache-Control", "ETag", "Last-Modified");
const bytes = { "*/*": { schema: { type: "string", format: "binary" } } };
const whole = {
  ...refer("Accept-Ranges", "Content-Disposition", "Content-Length"),
  ...validators,
  ...guards,
};

/** The successful answers, by status. */
export const deliveryResponses = {
  200: {
    description: "The complete file. Asked as `HEAD`: these headers, no body.",
    headers: whole,
    content: bytes,
  },
  206: {
    description: "The range that was asked for.",
    headers: { ...whole, ...refer("Content-Range") },
    content: bytes,
  },
  304: {
    description: "The copy that the request tells of is still current. No body.",
    headers: { ...validators, ...guards },
  },
};

/** Of 416. */
export const unsatisfiableHeaders = { ...refer("Accept-Ranges", "Content-Range"), ...guards };
/** Of every failure. */
export const failureGuards = guards;
