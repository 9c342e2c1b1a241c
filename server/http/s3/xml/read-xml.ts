import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { parseXml, type XmlElement } from "../../../runtime/xml.ts";
import { type DocumentShape, findUnexpected } from "./document-shape.ts";

/** S3 reads this much. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Reads a document whose root has this name and shape. S3Fault "MalformedXML": it cannot be parsed, has another root
 * or an element that the shape does not have, or is too long.
 */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  root: string,
  shape: DocumentShape,
): Promise<XmlElement> {
  const element = parse(await readText(chunks));
  if (element.name !== root) throw malformed(`its root must be ${root}`);
  const unexpected = findUnexpected(element, shape);
  if (unexpected !== undefined) throw malformed(unexpected);
  return element;
}

function parse(text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

/** S3Fault "MalformedXML": it is longer than documents are, or no UTF-8. */
export async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_BYTES) throw malformed(`it is longer than ${MAX_BYTES} bytes`);
    // The chunk's memory may be used again.
    read.push(chunk.slice());
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(read));
  } catch {
    throw malformed("it is not UTF-8");
  }
}

const malformed = (why: string): S3Fault =>
  new S3Fault(
    "MalformedXML",
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}.`,
  );
