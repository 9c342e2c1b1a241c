import { Fault } from "../domain/faults/fault.ts";

/* `Upload-Checksum` of tus 1.0.0: an algorithm and the checksum of a request's body in base64. */

/** The algorithms, with the length of their checksums in bytes. */
const LENGTHS = { sha1: 20, sha256: 32, md5: 16, crc32: 4 } as const;

export type ChecksumAlgorithm = keyof typeof LENGTHS;

export const CHECKSUM_ALGORITHMS = Object.keys(LENGTHS).filter(isAlgorithm);

export interface UploadChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Lower-case hexadecimal; a CRC-32 in network byte order. */
  readonly digest: string;
}

/** Fault "invalid": malformed, or an algorithm that the server does not have. */
export function parseUploadChecksum(header: string): UploadChecksum {
  const [algorithm = "", base64 = "", ...more] = header.trim().split(" ");
  if (!isAlgorithm(algorithm)) {
    throw new Fault(
      "invalid",
      `Upload-Checksum must start with one of ${CHECKSUM_ALGORITHMS.join(", ")}.`,
    );
  }
  const bytes = Buffer.from(base64, "base64");
  const isExact = bytes.toString("base64").replace(/=+$/, "") === base64.replace(/=+$/, "");
  if (more.length > 0 || !isExact || bytes.length !== LENGTHS[algorithm]) {
    throw new Fault(
      "invalid",
      `Upload-Checksum must be \`${algorithm}\` and ${LENGTHS[algorithm]} bytes in base64, separated by a space.`,
    );
  }
  return { algorithm, digest: bytes.toString("hex") };
}

function isAlgorithm(name: string): name is ChecksumAlgorithm {
  return Object.hasOwn(LENGTHS, name);
}
