import { S3Fault } from "../../domain/faults/s3-fault.ts";

/** Labels of an object or bucket, in the order given. */
export type Tags = readonly (readonly [key: string, value: string])[];

export const MAX_OBJECT_TAGS = 10;
export const MAX_BUCKET_TAGS = 50;
const MAX_KEY = 128;
const MAX_VALUE = 256;
/** What S3 allows: letters, numbers and spaces of any script, and these signs. */
const TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** S3Fault "InvalidTag": there are too many, or one has a key or value that S3 does not allow. */
export function checkTags(tags: Tags, max: number): Tags {
  if (tags.length > max) throw invalid(`There are ${tags.length} tags; the limit is ${max}.`);
  for (const [key, value] of tags) {
    if (key === "" || key.length > MAX_KEY || !TEXT.test(key)) {
      throw invalid(
        `The key of a tag has 1 to ${MAX_KEY} letters, digits, spaces and _ . : / = + - @.`,
      );
    }
    if (value.length > MAX_VALUE || !TEXT.test(value)) {
      throw invalid(
        `The value of a tag has at most ${MAX_VALUE} letters, digits, spaces and _ . : / = + - @.`,
      );
    }
    if (/^aws:/i.test(key)) throw invalid("Keys of tags that begin with aws: are reserved.");
  }
  if (new Set(tags.map(([key]) => key)).size < tags.length) {
    throw invalid("Two tags have the same key.");
  }
  return tags;
}

/**
 * The tags of an object in `x-amz-tagging`, which has the form of a query. S3Faults "InvalidArgument": it
 * is not percent-encoded UTF-8; "InvalidTag".
 */
export function parseTagging(header: string): Tags {
  const pairs = header.split("&").filter((pair) => pair !== "");
  return checkTags(pairs.map(parsePair), MAX_OBJECT_TAGS);
}

function parsePair(pair: string): readonly [string, string] {
  const equals = pair.indexOf("=");
  const key = equals < 0 ? pair : pair.slice(0, equals);
  return [decode(key), equals < 0 ? "" : decode(pair.slice(equals + 1))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new S3Fault(
      "InvalidArgument",
      "The header x-amz-tagging shall be encoded as UTF-8 then URLEncoded URL query parameters.",
      { cause },
    );
  }
}

const invalid = (message: string): S3Fault => new S3Fault("InvalidTag", message);
