import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import {
  type ChecksumAlgorithm,
  type Checksums,
  checkChecksum,
  checksumEntries,
  checksumHeader,
} from "../../../semantics/s3/checksums.ts";
import { type Checksum, createChecksum } from "../../../semantics/s3/create-checksum.ts";
import type { BodyFormat } from "../../../semantics/s3-signature/body-format.ts";
import { incomplete } from "./byte-reader.ts";
import { readExpectations } from "./content-expectations.ts";
import { decodeChunks } from "./decode-chunks.ts";

/** The content of a request's body, without its framing. */
export interface Content {
  /** The announced size in bytes; undefined: unknown. */
  readonly size: number | undefined;
  /**
   * To be iterated once. The iteration ends only if the size, the hash, the signatures and the checksums
   * of the content are right. Commit only after that. Otherwise it throws an S3Fault:
   * "XAmzContentSHA256Mismatch", "BadDigest", "IncompleteBody", "SignatureDoesNotMatch", …
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** To be called after the end of the chunks. */
  result(): ContentResult;
}

export interface ContentResult {
  readonly size: number;
  /** In lower-case hex. */
  readonly md5: string;
  /** The checksums that the client has sent, and `compute`. */
  readonly checksums: Checksums;
}

export interface ContentOptions {
  /** A checksum to compute in any case. */
  readonly compute?: ChecksumAlgorithm | undefined;
  /**
   * Whose checksum the headers `x-amz-checksum-…` have. "object": that of the object which a request
   * completes, so it is not compared with the body. Default: "body".
   */
  readonly checksumOf?: "body" | "object";
}

/**
 * Prepares to read a body. `headers` are those of the identity, if there is one. S3Fault: they are
 * malformed, or lack the size.
 */
export function readContent(
  body: AsyncIterable<Uint8Array>,
  headers: Headers,
  format: BodyFormat,
  { compute, checksumOf = "body" }: ContentOptions = {},
): Content {
  const expected = readExpectations(headers, format, checksumOf);
  const declared = new Map(checksumEntries(expected.checksums));
  const algorithms = new Set<ChecksumAlgorithm | "MD5">(["MD5"]);
  for (const algorithm of [...declared.keys(), expected.trailer, compute]) {
    if (algorithm !== undefined) algorithms.add(algorithm);
  }
  const signedHash = format.kind === "plain" ? format.sha256 : undefined;
  if (signedHash !== undefined) algorithms.add("SHA256");
  const sums = new Map<ChecksumAlgorithm | "MD5", Checksum>();
  for (const algorithm of algorithms) sums.set(algorithm, createChecksum(algorithm));
  let result: ContentResult | undefined;

  return {
    size: expected.size,
    chunks: read(),
    result() {
      if (result === undefined) throw new Error("The content was not read to its end.");
      return result;
    },
  };

  function takeTrailers(trailers: ReadonlyMap<string, string>): void {
    const { trailer } = expected;
    const name = trailer && checksumHeader(trailer);
    const value = name && trailers.get(name);
    if (trailers.size !== (name === undefined ? 0 : 1) || (name && value === undefined)) {
      throw new S3Fault(
        "MalformedTrailerError",
        `The request contained trailing data that did not conform to our published schema: x-amz-trailer announces ${name ?? "nothing"}.`,
      );
    }
    if (trailer && value) declared.set(trailer, checkChecksum(trailer, value));
  }

  async function* read(): AsyncGenerator<Uint8Array, void, void> {
    let size = 0;
    const decoded = format.kind === "plain" ? body : decodeChunks(body, format, takeTrailers);
    for await (const chunk of decoded) {
      size += chunk.length;
      if (expected.size !== undefined && size > expected.size) throw incomplete();
      for (const sum of sums.values()) sum.update(chunk);
      yield chunk;
    }
    if (expected.size !== undefined && size !== expected.size) throw incomplete();
    const digests = new Map<ChecksumAlgorithm | "MD5", Buffer>();
    for (const [algorithm, sum] of sums) digests.set(algorithm, Buffer.from(sum.digest()));
    const textOf = (
      algorithm: ChecksumAlgorithm | "MD5",
      encoding: "hex" | "base64" = "base64",
    ): string => digests.get(algorithm)?.toString(encoding) ?? "";
    if (signedHash !== undefined && textOf("SHA256", "hex") !== signedHash) throw wrongHash();
    if (expected.md5 !== undefined && textOf("MD5") !== expected.md5) {
      throw new S3Fault(
        "BadDigest",
        "The Content-MD5 you specified did not match what we received. Nothing was stored.",
      );
    }
    for (const [algorithm, checksum] of declared) {
      if (textOf(algorithm) !== checksum) throw wrongChecksum(algorithm, checksum);
    }
    const computed = compute === undefined ? {} : { [compute]: textOf(compute) };
    const checksums = { ...Object.fromEntries(declared), ...computed };
    result = { size, md5: textOf("MD5", "hex"), checksums };
  }
}

const wrongHash = (): S3Fault =>
  new S3Fault(
    "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed. Nothing was stored.",
  );

function wrongChecksum(algorithm: ChecksumAlgorithm, checksum: string): S3Fault {
  const ofNothing = createChecksum(algorithm).digest();
  const isOfNothing = checksum === Buffer.from(ofNothing).toString("base64");
  return new S3Fault(
    "BadDigest",
    `The ${algorithm} you specified did not match the calculated checksum. Nothing was stored.${
      isOfNothing
        ? ' It is that of an empty body: if an SDK signed the URL without the body, create its client with requestChecksumCalculation: "WHEN_REQUIRED" (request_checksum_calculation="when_required").'
        : ""
    }`,
  );
}
