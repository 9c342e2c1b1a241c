import { createHash } from "node:crypto";
import { charsetGiven } from "../../contract/text/charset.ts";
import type { FileRecord } from "../domain/records.ts";

export type VersionedFile = Pick<FileRecord, "sha256" | "mimeType" | "charset" | "metadata">;

const VERSION_TEXT = /^[0-9a-f]{16}$/;

/** The `v` of a lasting URL; undefined: absent, repeated or another text, which means nothing. */
export function parseLastingVersion(given: readonly string[]): string | undefined {
  const [text, another] = given;
  return text !== undefined && another === undefined && VERSION_TEXT.test(text) ? text : undefined;
}

/**
 * Names everything that a response with the file at its URL consists of: the content, its type and its
 * stored headers, and how images are scaled. undefined: the digest of the content is not known yet.
 */
export function lastingVersion(file: VersionedFile, scaling: string): string | undefined {
  const { sha256, mimeType, charset, metadata } = file;
  if (sha256 === null) return undefined;
  // Only images have smaller sizes.
  const sizes = mimeType.startsWith("image/") ? scaling : "";
  // What the content says of its charset is found out later, and follows from the rest.
  const declared = charsetGiven(charset);
  const described = JSON.stringify([sha256, mimeType, declared, metadata, sizes]);
  return createHash("sha256").update(described).digest("hex").slice(0, 16);
}
