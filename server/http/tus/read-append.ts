import { Fault } from "../../domain/faults/fault.ts";
import { parseName } from "../../domain/names/name.ts";
import type { Sha256 } from "../../domain/records.ts";
import { parseBooleanField, parseByteCount } from "../../domain/upload-fields.ts";
import { parseDigestField } from "../../semantics/digest-fields.ts";
import { parseTusMetadata } from "../../semantics/tus-metadata.ts";
import { parseUploadChecksum } from "../../semantics/upload-checksum.ts";
import type { AppendRequest } from "../../uploads/append.ts";
import { mediaTypeOf } from "../connection/media-type-of.ts";

const TUS = "application/offset+octet-stream";
const DRAFT = "application/partial-upload";

/**
 * The bytes that a request brings, and what its headers say about them. Faults: "invalid": a header
 * is missing or malformed; "unsupported_media_type".
 */
export function readAppend(request: Request): AppendRequest {
  const { headers } = request;
  const type = mediaTypeOf(headers);
  if (type !== TUS && type !== DRAFT) throw wrongType(TUS);
  const offset = parseByteCount("Upload-Offset", headers.get("upload-offset"));
  if (offset === null) {
    throw new Fault("invalid", "Send Upload-Offset: where in the file the body begins.");
  }
  const isLast = parseBooleanField("Upload-Complete", headers.get("upload-complete"));
  if (type === DRAFT && isLast === null) {
    throw new Fault(
      "invalid",
      "Send Upload-Complete: `?1` if the file ends with this body, otherwise `?0`.",
    );
  }
  const pairs = parseTusMetadata(headers.get("upload-metadata") ?? "");
  const name = pairs.get("filename") ?? pairs.get("name") ?? "";
  return {
    offset,
    isLast,
    ...bodyOf(request),
    length: parseByteCount("Upload-Length", headers.get("upload-length")),
    name: name === "" ? null : parseName(name),
    contentType: pairs.get("filetype") ?? pairs.get("type") ?? null,
    sha256: digestOf("Repr-Digest", headers),
  };
}

/**
 * The first bytes, sent with the creation of an upload; undefined: there are none. Faults as of
 * `readAppend`.
 */
export function readFirstBytes(request: Request, length: number | null): AppendRequest | undefined {
  const { headers } = request;
  const isEmptyFile = length === 0;
  const bytes = bodyOf(request);
  const hasBody = bytes.body !== null && bytes.size !== 0;
  if (mediaTypeOf(headers) === "application/json") {
    return isEmptyFile ? { ...NO_BYTES } : undefined;
  }
  if (hasBody && mediaTypeOf(headers) !== TUS) throw wrongType(TUS);
  const isWhole = bringsWholeFile(headers, length ?? undefined);
  return hasBody || isEmptyFile ? { ...NO_BYTES, ...bytes, isWhole } : undefined;
}

/** Whether the creation of an upload of this size has the whole file as its body. */
export const bringsWholeFile = (headers: Headers, size: number | undefined): boolean =>
  size !== undefined &&
  mediaTypeOf(headers) !== "application/json" &&
  Number(headers.get("content-length") ?? 0) === size;

const NO_BYTES: AppendRequest = {
  offset: 0,
  size: 0,
  length: null,
  isLast: null,
  name: null,
  contentType: null,
  sha256: null,
  checksum: null,
  contentDigest: null,
  body: null,
};

function bodyOf({
  headers,
  body,
}: Request): Pick<AppendRequest, "size" | "checksum" | "contentDigest" | "body"> {
  const length = headers.get("content-length");
  const checksum = headers.get("upload-checksum");
  return {
    // Without a length and without chunks there is no body.
    size: length === null ? (headers.has("transfer-encoding") ? null : 0) : Number(length),
    checksum: checksum === null ? null : parseUploadChecksum(checksum),
    contentDigest: digestOf("Content-Digest", headers),
    body,
  };
}

/** The SHA-256 in a digest field (RFC 9530); null: there is none. Fault "invalid": it is malformed. */
export function digestOf(field: "Content-Digest" | "Repr-Digest", headers: Headers): Sha256 | null {
  const value = headers.get(field);
  return value === null ? null : (parseDigestField(field, value) ?? null);
}

const wrongType = (type: string): Fault =>
  new Fault("unsupported_media_type", `Send the bytes with \`Content-Type: ${type}\`.`);
