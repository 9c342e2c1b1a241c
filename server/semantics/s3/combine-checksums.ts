import type { ChecksumAlgorithm } from "./checksums.ts";
import { createChecksum } from "./create-checksum.ts";

/* Checksums of objects made of parts. */

/** The algorithms whose checksum of a whole follows from those of its parts. */
export type CrcAlgorithm = Extract<ChecksumAlgorithm, `CRC${string}`>;

export const isCrc = (algorithm: ChecksumAlgorithm): algorithm is CrcAlgorithm =>
  algorithm.startsWith("CRC");

/** The CRC of the whole in base64, from those of its parts in their order. */
export function combineFullChecksum(
  algorithm: CrcAlgorithm,
  parts: readonly { readonly checksum: string; readonly size: number }[],
): string {
  const field = FIELDS[algorithm];
  const shifts = new Map<number, bigint>();
  let whole = 0n;
  for (const { checksum, size } of parts) {
    const shift = shifts.get(size) ?? powerOfX(size * 8, field);
    shifts.set(size, shift);
    const part = BigInt(`0x${Buffer.from(checksum, "base64").toString("hex")}`);
    whole = multiply(shift, whole, field) ^ part;
  }
  const hex = whole.toString(16).padStart(field.width / 4, "0");
  return Buffer.from(hex, "hex").toString("base64");
}

/** Polynomials over GF(2) modulo the one of a CRC. The highest bit is the coefficient of x^0. */
interface Field {
  readonly width: number;
  readonly polynomial: bigint;
}

const FIELDS: Readonly<Record<CrcAlgorithm, Field>> = {
  CRC32: { width: 32, polynomial: 0xedb88320n },
  CRC32C: { width: 32, polynomial: 0x82f63b78n },
  CRC64NVME: { width: 64, polynomial: 0x9a6c9329ac4bc9b5n },
};

function multiply(a: bigint, b: bigint, { width, polynomial }: Field): bigint {
  let product = 0n;
  let factor = b;
  for (let bit = 1n << BigInt(width - 1); bit > 0n; bit >>= 1n) {
    if (a & bit) product ^= factor;
    factor = factor & 1n ? (factor >> 1n) ^ polynomial : factor >> 1n;
  }
  return product;
}

/** x to the power of `exponent`: what `exponent` zero bits after a message do to its CRC. */
function powerOfX(exponent: number, field: Field): bigint {
  let power = 1n << BigInt(field.width - 1);
  let square = power >> 1n;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiply(power, square, field);
    square = multiply(square, square, field);
  }
  return power;
}

/** The checksum of the parts' checksums, with the number of parts after a dash. */
export function compositeChecksum(algorithm: ChecksumAlgorithm, parts: readonly string[]): string {
  const checksum = createChecksum(algorithm);
  for (const part of parts) checksum.update(Buffer.from(part, "base64"));
  return `${Buffer.from(checksum.digest()).toString("base64")}-${parts.length}`;
}
