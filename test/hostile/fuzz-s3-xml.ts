import { S3Fault } from "../../server/domain/faults/s3-fault.ts";
import { ANYTHING } from "../../server/http/s3/xml/document-shape.ts";
import { readXml } from "../../server/http/s3/xml/read-xml.ts";
import type { XmlElement } from "../../server/runtime/xml.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

const DOCUMENT =
  '<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>a&amp;b</Key></Object><Object><Key><![CDATA[c]]></Key></Object><Quiet>true</Quiet></Delete>';

const TEXTS: readonly [string, ...string[]] = [
  ...([
    "<",
    ">",
    "</",
    "/>",
    "&",
    ";",
    "&lt;",
    "&#x41;",
    "&#0;",
    "&#xD800;",
    "]]>",
    "<![CDATA[",
  ] as const),
  ...[
    "<!--",
    "-->",
    "<?",
    "?>",
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    "<!ENTITY",
    "&b;",
    "xmlns=",
    "'",
  ],
  ...[
    '"',
    "\0",
    "\ufeff",
    "é",
    "<Object>",
    "</Object>",
    "<Key>",
    "</Key>",
    "<__proto__>",
    "x".repeat(500),
  ],
  ...[
    "<a>".repeat(40),
    "</a>".repeat(40),
    " ",
    "\r\n",
    "<constructor/>",
    "<a:b/>",
    "<#text>t</#text>",
  ],
];

/**
 * Reads a document with random mutations. Returns what is wrong: an error was no S3Fault, or a document
 * was accepted that has a document type or is too deep. undefined: nothing.
 */
export async function fuzzS3Xml(seed: number): Promise<string | undefined> {
  const random = createSeededRandom(seed);
  let text = DOCUMENT;
  for (let left = random.int(1, 6); left > 0; left -= 1) text = mutate(text, random);
  try {
    const element = await readXml(piecesOf(text, random), "Delete", ANYTHING);
    if (/<!doctype/i.test(text)) return `accepted with a document type: ${JSON.stringify(text)}`;
    return depthOf(element) > 20 ? `accepted, too deep: ${JSON.stringify(text)}` : undefined;
  } catch (error) {
    return error instanceof S3Fault ? undefined : `${error}: ${JSON.stringify(text)}`;
  }
}

const depthOf = ({ children }: XmlElement): number => 1 + Math.max(0, ...children.map(depthOf));

function mutate(text: string, random: SeededRandom): string {
  const at = random.int(0, text.length + 1);
  const insert = random.chance(0.7) ? random.pick(TEXTS) : "";
  return text.slice(0, at) + insert + text.slice(at + random.int(0, 6));
}

async function* piecesOf(text: string, random: SeededRandom): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const length = random.int(1, 100);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
