import { crc32 } from "node:zlib";
import { S3Fault } from "../../server/domain/faults/s3-fault.ts";
import { frameChunks, inPieces } from "../../server/http/s3/body/chunked-body.fixture.ts";
import { readContent } from "../../server/http/s3/body/read-content.ts";
import type { BodyFormat } from "../../server/semantics/s3-signature/body-format.ts";
import { createChunkSigner } from "../../server/semantics/s3-signature/chunk-signer.ts";
import { signingKey } from "../../server/semantics/s3-signature/signing.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

const SCOPE = { date: "20270115", region: "us-east-1", timestamp: "20270115T120000Z" };
const KEY = signingKey("secret", SCOPE);
const signer = () => createChunkSigner(KEY, SCOPE, "0".repeat(64));

const CONTENT = Buffer.from("5;chunk-signature=\r\n0\r\n\r\nthe content, with lines\r\n7\r\n");
const CHUNKS = [CONTENT.subarray(0, 9), CONTENT.subarray(9, 30), CONTENT.subarray(30)];
const checksum = Buffer.alloc(4);
checksum.writeUInt32BE(crc32(CONTENT));
const trailers = { "x-amz-checksum-crc32": checksum.toString("base64") };

const headers = new Headers({
  "x-amz-decoded-content-length": String(CONTENT.length),
  "x-amz-trailer": "x-amz-checksum-crc32",
});

/**
 * Reads a framed body with one to four random mutations. Returns what is wrong: another content was
 * accepted, or an error was no S3Fault. undefined: nothing.
 */
export async function fuzzS3Body(seed: number): Promise<string | undefined> {
  const random = createSeededRandom(seed);
  const isSigned = random.chance(0.5);
  let bytes: Buffer = frameChunks(CHUNKS, { sign: isSigned ? signer() : undefined, trailers });
  for (let left = random.int(1, 5); left > 0; left -= 1) bytes = mutate(bytes, random);
  const sign = isSigned ? signer() : undefined;
  const format: BodyFormat = { kind: "chunked", sign, trailer: true };
  const pieces = [random.int(1, 40), random.int(1, 40)];
  try {
    const read: Uint8Array[] = [];
    const content = readContent(inPieces(bytes, pieces), headers, format);
    for await (const chunk of content.chunks) read.push(chunk);
    if (Buffer.concat(read).equals(CONTENT)) return undefined;
    return `accepted as other content: ${JSON.stringify(bytes.toString("latin1"))}`;
  } catch (error) {
    if (error instanceof S3Fault) return undefined;
    return `${error}: ${JSON.stringify(bytes.toString("latin1"))}`;
  }
}

const TEXTS: readonly [string, ...string[]] = [
  ...([
    "\r\n",
    "\n",
    "\r",
    "0\r\n",
    "0\r\n\r\n",
    ";",
    ":",
    " ",
    "\0",
    "0x",
    "-",
    "ffffffffffff",
  ] as const),
  ...["x-amz-checksum-crc32:AAAAAA==\r\n", "x-amz-trailer-signature:", "chunk-signature=", "1"],
  ...["a:b\r\n", "f".repeat(300), "7;chunk-signature=\r\n", ";ext=1", "\f", "5\r\nhello\r\n"],
];

function mutate(bytes: Buffer, random: SeededRandom): Buffer {
  const at = random.int(0, bytes.length + 1);
  const insert = random.chance(0.6) ? Buffer.from(random.pick(TEXTS)) : Buffer.alloc(0);
  const end = at + random.int(0, random.chance(0.1) ? bytes.length : 4);
  if (random.chance(0.2)) {
    // Repeats a part.
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
  }
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(end)]);
}
