import type { Headers } from "./operation.ts";

/* Headers of resumable uploads: tus 1.0.0, and the fields of the IETF draft that mean the same. */

const pick = (headers: Headers, names: readonly string[]): Headers =>
  Object.fromEntries(names.map((name) => [name, headers[name] ?? ""]));

const requestHeaders: Headers = {
  "Tus-Resumable": "The version of tus, `1.0.0`. tus clients send it with every request.",
  "Upload-Length": "Size of the file in bytes, if it is known.",
  "Upload-Defer-Length": "`1` if the size of the file is not known yet.",
  "Upload-Metadata":
    "Pairs of a key and a value in base64, separated by commas. Keys: `filename` (or `name`), `filetype` (or `type`), `folder`, `visibility`, `onConflict`, `sha256`, and `metadata` as JSON. Others are ignored.",
  "Upload-Offset": "Where the bytes of the body begin. Must be the current offset.",
  "Upload-Checksum":
    "`sha1`, `sha256`, `md5` or `crc32` and the checksum of the body in base64, separated by a space. A body with another one is dropped.",
  "Content-Digest":
    "As `sha-256=:BASE64:`, the SHA-256 of the body (RFC 9530). A body with another one is dropped.",
  "Repr-Digest":
    "As `sha-256=:BASE64:`, the SHA-256 of the whole file (RFC 9530). Compared when the file is complete, if it came with the creation or with the last bytes.",
  "Upload-Complete":
    "Instead of tus, as in the IETF draft: `?1` if the file ends with this body, otherwise `?0`.",
};

const responseHeaders: Headers = {
  Location: "The upload URL, relative to the host.",
  "Tus-Resumable": "`1.0.0`",
  "Tus-Version": "`1.0.0`",
  "Tus-Extension": "The supported extensions of tus.",
  "Tus-Max-Size": "Maximum size of a file, in bytes.",
  "Tus-Checksum-Algorithm": "The algorithms of `Upload-Checksum`.",
  "Upload-Offset": "The number of bytes that are stored and survive a power cut.",
  "Upload-Length": "Size of the file in bytes, if it is known.",
  "Upload-Defer-Length": "`1` if the size of the file is not known yet.",
  "Upload-Metadata": "As it was sent at the creation.",
  "Upload-Expires": "When the upload is removed, unless more bytes arrive before.",
  "Upload-Complete": "`?1` if the file is complete and visible, otherwise `?0` (IETF draft).",
  "Upload-Limit": "The maximum size of the file, as `max-size` (IETF draft).",
  "Content-Location": "The hosting URL of the complete file, relative to the host.",
  ETag: "Of the complete file, if it is public.",
  "Repr-Digest": "The SHA-256 of the complete file (RFC 9530).",
  "Holdall-File": "The id of the complete file.",
};

export const creationHeaders = pick(requestHeaders, [
  ...["Tus-Resumable", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"],
  ...["Upload-Checksum", "Content-Digest", "Repr-Digest"],
]);
export const appendHeaders = pick(requestHeaders, [
  ...["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Checksum", "Upload-Metadata"],
  ...["Content-Digest", "Repr-Digest", "Upload-Complete"],
]);
export const stateHeaders = pick(requestHeaders, ["Tus-Resumable"]);

const OF_FILE = ["Content-Location", "ETag", "Repr-Digest", "Holdall-File"];

export const createdHeaders = pick(responseHeaders, [
  ...["Location", "Tus-Resumable", "Upload-Offset", "Upload-Expires", ...OF_FILE],
]);
export const stateResponseHeaders = pick(responseHeaders, [
  ...["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Defer-Length"],
  ...["Upload-Metadata", "Upload-Expires", "Upload-Complete", "Upload-Limit", ...OF_FILE],
]);
export const appendedHeaders = pick(responseHeaders, [
  ...["Tus-Resumable", "Upload-Offset", "Upload-Expires", "Upload-Complete", ...OF_FILE],
]);
export const cancelledHeaders = pick(responseHeaders, ["Tus-Resumable"]);
export const optionsHeaders = pick(responseHeaders, [
  ...["Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Tus-Checksum-Algorithm"],
]);
