import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childrenOf, childText, type XmlElement } from "../../../runtime/xml.ts";
import { checkTags, type Tags } from "../../../semantics/s3/tags.ts";
import { xmlResponse } from "../s3-response.ts";
import { TEXT } from "./document-shape.ts";
import { readXml } from "./read-xml.ts";

export const TAG_SET = { Tag: [{ Key: TEXT, Value: TEXT }] } as const;

/** The tags in a document `Tagging`. S3Faults "MalformedXML", "InvalidTag". */
export async function readTagging(chunks: AsyncIterable<Uint8Array>, max: number): Promise<Tags> {
  const [set] = childrenOf(await readXml(chunks, "Tagging", { TagSet: TAG_SET }), "TagSet");
  if (set === undefined) throw malformed("it must have one TagSet");
  return readTagSet(set, max);
}

/** The tags in an element. S3Faults "MalformedXML", "InvalidTag". */
export function readTagSet(set: XmlElement, max: number): Tags {
  const tags = childrenOf(set, "Tag").map((tag): readonly [string, string] => {
    const [key, value] = [childText(tag, "Key"), childText(tag, "Value")];
    if (key === undefined || value === undefined) throw malformed("a Tag needs a Key and a Value");
    return [key, value];
  });
  return checkTags(tags, max);
}

export const taggingResponse = (tags: Tags): Response =>
  xmlResponse("Tagging", {
    TagSet: tags.length === 0 ? "" : { Tag: tags.map(([Key, Value]) => ({ Key, Value })) },
  });

const malformed = (why: string): S3Fault =>
  new S3Fault(
    "MalformedXML",
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}.`,
  );
