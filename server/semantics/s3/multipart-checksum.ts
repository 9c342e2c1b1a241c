import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { type ChecksumAlgorithm, type Checksums, parseAlgorithm } from "./checksums.ts";
import { combineFullChecksum, compositeChecksum } from "./combine-checksums.ts";

export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

export interface ChecksumChoice {
  readonly checksumAlgorithm?: ChecksumAlgorithm;
  readonly checksumType?: ChecksumType;
}

/**
 * The checksum that a multipart upload will have, from its headers. SHA-1 and SHA-256 have only composite
 * checksums, CRC-64/NVME only that of the whole object. S3Fault "InvalidRequest".
 */
export function readChecksumChoice(headers: Headers): ChecksumChoice {
  const algorithm = headers.get("x-amz-checksum-algorithm");
  const type = headers.get("x-amz-checksum-type");
  if (algorithm === null) {
    if (type === null) return {};
    throw new S3Fault("InvalidRequest", "x-amz-checksum-type needs x-amz-checksum-algorithm.");
  }
  const checksumAlgorithm = parseAlgorithm(algorithm);
  const checksumType = type ?? (checksumAlgorithm === "CRC64NVME" ? "FULL_OBJECT" : "COMPOSITE");
  if (checksumType !== "FULL_OBJECT" && checksumType !== "COMPOSITE") {
    throw new S3Fault("InvalidRequest", "x-amz-checksum-type must be FULL_OBJECT or COMPOSITE.");
  }
  const isSha = checksumAlgorithm === "SHA1" || checksumAlgorithm === "SHA256";
  const wrong = checksumType === "FULL_OBJECT" ? isSha : checksumAlgorithm === "CRC64NVME";
  if (!wrong) return { checksumAlgorithm, checksumType };
  throw new S3Fault(
    "InvalidRequest",
    `The checksum type ${checksumType} cannot be used with ${checksumAlgorithm}.`,
  );
}

export interface ChecksummedPart {
  readonly size: number;
  readonly checksums: Readonly<Record<string, string>>;
}

/** The checksum of an object of these parts. Empty: the upload has none, or a part has none. */
export function combineChecksums(
  algorithm: string | undefined,
  type: ChecksumType | undefined,
  parts: readonly ChecksummedPart[],
): Checksums {
  if (algorithm === undefined) return {};
  const name = parseAlgorithm(algorithm);
  const values: string[] = [];
  for (const { checksums } of parts) {
    const value = checksums[name];
    if (value === undefined) return {};
    values.push(value);
  }
  if (type === "COMPOSITE" || name === "SHA1" || name === "SHA256") {
    return { [name]: compositeChecksum(name, values) };
  }
  const sized = parts.map(({ size }, index) => ({ size, checksum: values[index] ?? "" }));
  return { [name]: combineFullChecksum(name, sized) };
}

/**
 * The right checksums of an object of these parts, in every form that clients write: a composite one with
 * and without the number of parts. `type` undefined: of any type. Empty: a part has none.
 */
export function writtenChecksums(
  algorithm: ChecksumAlgorithm,
  type: ChecksumType | undefined,
  parts: readonly ChecksummedPart[],
): string[] {
  const types = type === undefined ? (["COMPOSITE", "FULL_OBJECT"] as const) : [type];
  return types.flatMap((each) => {
    const checksum = combineChecksums(algorithm, each, parts)[algorithm];
    return checksum === undefined ? [] : [checksum, checksum.replace(/-\d+$/, "")];
  });
}
