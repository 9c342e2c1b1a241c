import { createHash, type Hash } from "node:crypto";
import type { S3Attributes } from "../../semantics/s3/attributes.ts";
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  checksumHeader,
} from "../../semantics/s3/checksums.ts";
import { multipartEtag } from "../../semantics/s3/choose-parts.ts";
import { type Checksum, createChecksum } from "../../semantics/s3/create-checksum.ts";

/** What a content must be, as far as the source tells. */
export interface ExpectedContent {
  readonly size: number;
  readonly etag: string;
  /** Whether an ETag that looks like an MD5 is one. */
  readonly hasMd5Etag: boolean;
  /** The sizes of the parts of a multipart upload; undefined: unknown. */
  readonly partSizes: readonly number[] | undefined;
  readonly headers: Headers;
}

/** Compares a content with its digests while it is read. */
export interface ContentCheck {
  update(chunk: Uint8Array): void;
  /** To be called once, at the end. Throws `ContentMismatch`. */
  finish(): CheckedContent;
}

export interface CheckedContent {
  readonly attributes: S3Attributes;
  /** Whether the source had a digest to compare with, and not only a size. */
  readonly isChecked: boolean;
}

/** The content is not the one that the source says. */
export class ContentMismatch extends Error {
  override readonly name = "ContentMismatch";
}

/** The content is not made of parts of these sizes, or is damaged. */
export class PartsMismatch extends ContentMismatch {}

const MD5 = /^[0-9a-f]{32}$/;
const MULTIPART = /^[0-9a-f]{32}-([1-9]\d{0,4})$/;

/** The number of parts that an ETag tells; undefined: it is none of a multipart upload. */
export function partCountOf(etag: string): number | undefined {
  const count = MULTIPART.exec(etag)?.[1];
  return count === undefined ? undefined : Number(count);
}

/** Whether the object is encrypted in a way in which its ETag is no MD5. */
export const isEncryptedOtherwise = (headers: Headers): boolean =>
  headers.get("x-amz-server-side-encryption")?.startsWith("aws:") === true ||
  headers.has("x-amz-server-side-encryption-customer-algorithm");

export function createContentCheck(expected: ExpectedContent): ContentCheck {
  const { etag, partSizes, headers } = expected;
  const whole = createHash("md5");
  const parts = partSizes === undefined ? undefined : createPartHashes(partSizes);
  const checksums = checksumsIn(headers).map(
    ([algorithm, value]) => [algorithm, value, createChecksum(algorithm)] as const,
  );
  let size = 0;

  return {
    update(chunk) {
      size += chunk.length;
      whole.update(chunk);
      parts?.update(chunk);
      for (const [, , checksum] of checksums) checksum.update(chunk);
    },

    finish() {
      if (size !== expected.size) throw new ContentMismatch("it has another size than its list");
      compareChecksums(checksums);
      const kept = keptChecksums(checksums);
      const md5 = whole.digest("hex");
      if (partCountOf(etag) !== undefined) {
        if (parts === undefined) {
          return { attributes: { etag, ...kept }, isChecked: checksums.length > 0 };
        }
        if (multipartEtag(parts.digests()) !== etag) throw new PartsMismatch(damageOf("ETag"));
        return { attributes: { etag, ...kept, parts: partSizes ?? [] }, isChecked: true };
      }
      if (expected.hasMd5Etag && MD5.test(etag) && md5 !== etag) throw mismatch("ETag");
      const isChecked = md5 === etag || checksums.length > 0;
      return { attributes: { etag: md5, ...kept }, isChecked };
    },
  };
}

type Expected = readonly (readonly [ChecksumAlgorithm, string, Checksum])[];

function compareChecksums(checksums: Expected): void {
  for (const [algorithm, value, checksum] of checksums) {
    const found = Buffer.from(checksum.digest()).toString("base64");
    if (found !== value) throw mismatch(algorithm);
  }
}

function keptChecksums(checksums: Expected): Pick<S3Attributes, "checksums" | "checksumType"> {
  if (checksums.length === 0) return {};
  return {
    checksums: Object.fromEntries(checksums.map(([algorithm, value]) => [algorithm, value])),
    checksumType: "FULL_OBJECT",
  };
}

/** The checksums of the whole content. Those that are made of the checksums of parts end with their number. */
function checksumsIn(headers: Headers): (readonly [ChecksumAlgorithm, string])[] {
  if (headers.get("x-amz-checksum-type") === "COMPOSITE") return [];
  return CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
    const value = headers.get(checksumHeader(algorithm));
    return value === null || value.includes("-") ? [] : [[algorithm, value] as const];
  });
}

/** The MD5 of each part. */
function createPartHashes(sizes: readonly number[]) {
  const digests: string[] = [];
  let hash: Hash = createHash("md5");
  let left = sizes[0] ?? 0;

  function update(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      const taken = rest.subarray(0, left);
      hash.update(taken);
      left -= taken.length;
      rest = rest.subarray(taken.length);
      if (left > 0) return;
      end();
      if (digests.length >= sizes.length) return;
    }
  }

  function end(): void {
    digests.push(hash.digest("hex"));
    hash = createHash("md5");
    left = sizes[digests.length] ?? 0;
  }

  return {
    update,
    digests(): readonly string[] {
      // A content without bytes has one part without bytes.
      while (digests.length < sizes.length) end();
      return digests;
    },
  };
}

const damageOf = (what: string): string =>
  `its bytes do not match its ${what}, so they are damaged at the source`;

const mismatch = (what: string): ContentMismatch => new ContentMismatch(damageOf(what));
