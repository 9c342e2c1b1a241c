import { charsetGiven, declaredCharset } from "../../../contract/text/charset.ts";
import { bareType, mediaType, typeWithCharset } from "../../domain/media.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { S3Attributes } from "./attributes.ts";

/** The media type of an object: the declared one if it is well-formed, else that of the name. */
export const objectType = (name: string, declared: string | null | undefined): string =>
  bareType(declared ?? "") ?? mediaType(name);

/** Printable ASCII, which every header can carry. */
const SAFE_TYPE = /^[\x20-\x7e]{1,255}$/;

/**
 * The declared `Content-Type` if the media type and the charset of the object tell less: S3 returns it as it came,
 * with parameters such as `codecs`, and also if it is no media type.
 */
export function keptContentType(declared: string | null | undefined): string | undefined {
  if (declared == null || !SAFE_TYPE.test(declared)) return undefined;
  const type = bareType(declared);
  const told = type && typeWithCharset(type, charsetGiven(declaredCharset(declared)));
  return told === declared ? undefined : declared;
}

/** The `Content-Type` of an object. What was declared ends when the file gets another media type. */
export function contentTypeOf(
  { mimeType, charset }: Pick<FileRecord, "mimeType" | "charset">,
  attributes: Pick<S3Attributes, "contentType"> | null,
): string {
  const declared = attributes?.contentType;
  if (declared !== undefined && (bareType(declared) ?? mimeType) === mimeType) return declared;
  return typeWithCharset(mimeType, charsetGiven(charset));
}
