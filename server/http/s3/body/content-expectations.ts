import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import {
  algorithmOfHeader,
  type ChecksumAlgorithm,
  type Checksums,
  checksumEntries,
  parseAlgorithm,
  readChecksumHeaders,
  severalChecksums,
} from "../../../semantics/s3/checksums.ts";
import type { BodyFormat } from "../../../semantics/s3-signature/body-format.ts";

/** What the headers of a request say about its content. */
export interface ContentExpectations {
  /** In bytes; undefined: not announced. */
  readonly size: number | undefined;
  /** In base64. */
  readonly md5: string | undefined;
  readonly checksums: Checksums;
  /** The algorithm whose checksum comes as a trailer. */
  readonly trailer: ChecksumAlgorithm | undefined;
}

/**
 * S3Fault: "MissingContentLength", "InvalidDigest", "InvalidRequest", "InvalidArgument". `checksumOf`
 * says whose checksum the headers `x-amz-checksum-…` have: the body's, or another object's.
 */
export function readExpectations(
  headers: Headers,
  format: BodyFormat,
  checksumOf: "body" | "object",
): ContentExpectations {
  const checksums = checksumOf === "body" ? readChecksumHeaders(headers) : {};
  const trailer = readTrailerHeader(headers, format);
  const [declared] = checksumEntries(checksums);
  if (trailer !== undefined && declared !== undefined) throw severalChecksums();
  const announced = headers.get("x-amz-sdk-checksum-algorithm");
  if (announced !== null && checksumOf === "body") {
    const algorithm = declared === undefined ? trailer : declared[0];
    if (parseAlgorithm(announced) !== algorithm) throw missingChecksum(announced);
  }
  return { size: readSize(headers, format), md5: readMd5(headers), checksums, trailer };
}

function readSize(headers: Headers, { kind }: BodyFormat): number | undefined {
  const name = kind === "chunked" ? "x-amz-decoded-content-length" : "content-length";
  const text = headers.get(name);
  if (text !== null) {
    const size = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    if (size !== undefined) return size;
    throw new S3Fault("InvalidArgument", `${name} must be a whole number of bytes.`);
  }
  if (kind === "plain" && headers.has("transfer-encoding")) return undefined;
  throw new S3Fault(
    "MissingContentLength",
    kind === "plain"
      ? "You must provide the Content-Length HTTP header."
      : "You must provide the x-amz-decoded-content-length HTTP header, with the size of the content.",
  );
}

function readMd5(headers: Headers): string | undefined {
  const text = headers.get("content-md5");
  if (text === null) return undefined;
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 16 && bytes.toString("base64") === text) return text;
  throw new S3Fault(
    "InvalidDigest",
    "The Content-MD5 you specified was invalid: it must be 16 bytes in base64.",
  );
}

function readTrailerHeader(headers: Headers, format: BodyFormat): ChecksumAlgorithm | undefined {
  const text = headers.get("x-amz-trailer");
  if (text === null) return undefined;
  if (format.kind === "chunked" && format.trailer && /^x-amz-checksum-\w+$/i.test(text)) {
    return algorithmOfHeader(text);
  }
  throw new S3Fault(
    "InvalidRequest",
    "The value specified in the x-amz-trailer header is not supported: it must be one x-amz-checksum- header, with an x-amz-content-sha256 that ends with -TRAILER.",
  );
}

const missingChecksum = (algorithm: string): S3Fault =>
  new S3Fault(
    "InvalidRequest",
    `x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-${algorithm.toLowerCase()} or x-amz-trailer headers were found.`,
  );
