import { S3Fault } from "../../domain/faults/s3-fault.ts";

/** The checksums of the S3 API, with their lengths in bytes. */
const LENGTHS = { CRC32: 4, CRC32C: 4, CRC64NVME: 8, SHA1: 20, SHA256: 32 } as const;

export type ChecksumAlgorithm = keyof typeof LENGTHS;

export const CHECKSUM_ALGORITHMS = Object.keys(LENGTHS).filter(isAlgorithm);

/** Checksums in base64. */
export type Checksums = Readonly<Partial<Record<ChecksumAlgorithm, string>>>;

/** The checksums with their algorithms. */
export const checksumEntries = (
  checksums: Checksums,
): (readonly [algorithm: ChecksumAlgorithm, checksum: string])[] =>
  CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
    const checksum = checksums[algorithm];
    return checksum === undefined ? [] : [[algorithm, checksum] as const];
  });

/** Headers that start with `x-amz-checksum-` and are no checksums. */
const NO_CHECKSUM = new Set([
  "x-amz-checksum-algorithm",
  "x-amz-checksum-mode",
  "x-amz-checksum-type",
]);
const PREFIX = "x-amz-checksum-";

/** `x-amz-checksum-crc32` and the like. */
export const checksumHeader = (algorithm: ChecksumAlgorithm): string =>
  PREFIX + algorithm.toLowerCase();

/** The name of an algorithm in any case. S3Fault "InvalidRequest": unknown. */
export function parseAlgorithm(text: string): ChecksumAlgorithm {
  const name = text.toUpperCase();
  if (isAlgorithm(name)) return name;
  throw new S3Fault(
    "InvalidRequest",
    `Checksum algorithm provided is unsupported: "${text}". Use one of ${CHECKSUM_ALGORITHMS.join(", ")}.`,
  );
}

/** The algorithm of a header such as `x-amz-checksum-crc32`. S3Fault "InvalidRequest": unknown. */
export const algorithmOfHeader = (name: string): ChecksumAlgorithm =>
  parseAlgorithm(name.toLowerCase().startsWith(PREFIX) ? name.slice(PREFIX.length) : name);

/** S3Fault "InvalidRequest": it is not the base64 of a checksum of this algorithm. */
export function checkChecksum(algorithm: ChecksumAlgorithm, text: string): string {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === LENGTHS[algorithm] && bytes.toString("base64") === text) return text;
  throw new S3Fault(
    "InvalidRequest",
    `Value for ${checksumHeader(algorithm)} header is invalid: it must be ${LENGTHS[algorithm]} bytes in base64.`,
  );
}

/**
 * The checksum in the headers of a request, at most one. S3Fault "InvalidRequest": it is malformed, of
 * an unknown algorithm, or there are several.
 */
export function readChecksumHeaders(headers: Headers): Checksums {
  const found: [ChecksumAlgorithm, string][] = [];
  for (const [name, value] of headers) {
    if (!name.startsWith(PREFIX) || NO_CHECKSUM.has(name)) continue;
    const algorithm = algorithmOfHeader(name);
    found.push([algorithm, checkChecksum(algorithm, value)]);
  }
  if (found.length > 1) throw severalChecksums();
  return Object.fromEntries(found);
}

export const severalChecksums = (): S3Fault =>
  new S3Fault(
    "InvalidRequest",
    "Expecting a single x-amz-checksum- header or trailer. Multiple checksum types are not allowed.",
  );

function isAlgorithm(name: string): name is ChecksumAlgorithm {
  return Object.hasOwn(LENGTHS, name);
}
