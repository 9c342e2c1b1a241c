import { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { MetadataText } from "../../domain/records.ts";
import { changeMetadata, type FileMetadata, isS3PairName, readMetadata } from "../file-metadata.ts";
import { headerValue } from "./header-text.ts";

const USER_METADATA = "x-amz-meta-";

/** Header → field of a file's metadata. */
const FIELDS = {
  "cache-control": "cacheControl",
  "content-disposition": "contentDisposition",
  "content-encoding": "contentEncoding",
  "content-language": "contentLanguage",
  expires: "expires",
} as const;

/** No control characters, so the value can be sent in a header. */
const SAFE = /^(?:\t|[^\p{Cc}\p{Cs}])*$/u;

/** Whether a header can have this value. */
export const isSafeHeader = (value: string): boolean => SAFE.test(value);

/**
 * The metadata that the headers or form fields of a request set, with names in lower case. As in S3, the
 * values are not interpreted. S3Fault "InvalidArgument": a name or value cannot be that of a header;
 * "MetadataTooLarge".
 */
export function objectMetadata(
  fields: Iterable<readonly [name: string, value: string]>,
): MetadataText | null {
  const metadata: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (name.startsWith(USER_METADATA)) metadata[name] = value.trim();
    else if (isField(name)) {
      const stored = name === "content-encoding" ? storedContentEncoding(value) : value.trim();
      if (stored) metadata[FIELDS[name]] = stored;
    }
  }
  for (const [name, value] of Object.entries(metadata)) {
    const isPair = name.startsWith(USER_METADATA);
    if (isPair && !isS3PairName(name)) {
      throw new S3Fault("InvalidArgument", "The name of a metadata header is invalid or too long.");
    }
    if (isSafeHeader(value)) continue;
    throw new S3Fault("InvalidArgument", `${name} must have no control characters.`);
  }
  return limited(() => changeMetadata(null, metadata));
}

function limited(change: () => MetadataText | null): MetadataText | null {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new S3Fault("MetadataTooLarge", error.message, { cause: error });
  }
}

/** The response headers that show an object's metadata, as the runtime sends them. */
export function metadataHeaders(text: MetadataText | null): Record<string, string> {
  const metadata: FileMetadata = readMetadata(text);
  const headers: Record<string, string> = {};
  for (const [header, field] of Object.entries(FIELDS)) {
    const value = metadata[field];
    if (value !== undefined) headers[header] = headerValue(value);
  }
  for (const [name, value] of Object.entries(metadata)) {
    if (name.startsWith(USER_METADATA)) headers[name] = headerValue(value);
  }
  return headers;
}

const isField = (name: string): name is keyof typeof FIELDS => Object.hasOwn(FIELDS, name);

/**
 * The Content-Encoding to store: without `aws-chunked`, which is the framing of the request. null: none
 * is left.
 */
function storedContentEncoding(header: string | null): string | null {
  const encodings = (header ?? "").split(",").map((each) => each.trim());
  const kept = encodings.filter((each) => each !== "" && each.toLowerCase() !== "aws-chunked");
  return kept.length === 0 ? null : kept.join(", ");
}
