import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { createChecksum } from "../../../semantics/s3/create-checksum.ts";
import type { BodyFormat } from "../../../semantics/s3-signature/body-format.ts";
import type { ChunkSigner } from "../../../semantics/s3-signature/chunk-signer.ts";
import { isSignature } from "../../../semantics/s3-signature/signing.ts";
import { type ByteReader, badFraming, createByteReader } from "./byte-reader.ts";
import { readTrailers } from "./read-trailers.ts";

type ChunkedFormat = Extract<BodyFormat, { kind: "chunked" }>;

/** A size in hex, `;chunk-signature=` and 64 hex digits. */
const MAX_CHUNK_HEAD = 128;
const CHUNK_HEAD = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i;

/**
 * The content of a body in `aws-chunked`, and at its end the trailers, by names in lower case. The
 * iteration ends only if the framing and all signatures are right. S3Fault: "SignatureDoesNotMatch",
 * "IncompleteBody", "MalformedTrailerError", "InvalidRequest".
 */
export async function* decodeChunks(
  body: AsyncIterable<Uint8Array>,
  { sign, trailer }: ChunkedFormat,
  onTrailers: (trailers: ReadonlyMap<string, string>) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = createByteReader(body);
  try {
    for (;;) {
      const { size, signature } = parseHead(await reader.line(MAX_CHUNK_HEAD), sign);
      yield* readChunk(reader, size, sign, signature);
      if (size === 0) break;
      await reader.lineBreak();
    }
    if (trailer) onTrailers(await readTrailers(reader, sign));
    else await reader.lineBreak();
    if (!(await reader.isAtEnd())) throw badFraming("bytes follow the end");
  } finally {
    await reader.close();
  }
}

function parseHead(line: string, sign: ChunkSigner | undefined) {
  const [, hex, signature] = CHUNK_HEAD.exec(line) ?? [];
  if (hex === undefined) throw badFraming("a chunk must start with its size in hex");
  if ((signature === undefined) !== (sign === undefined)) {
    throw badFraming(sign ? "a chunk has no signature" : "a chunk has a signature");
  }
  return { size: Number.parseInt(hex, 16), signature: signature?.toLowerCase() ?? "" };
}

async function* readChunk(
  reader: ByteReader,
  size: number,
  sign: ChunkSigner | undefined,
  signature: string,
): AsyncGenerator<Uint8Array, void, void> {
  const hash = sign && createChecksum("SHA256");
  for (let left = size; left > 0; ) {
    const bytes = await reader.some(left);
    left -= bytes.length;
    hash?.update(bytes);
    yield bytes;
  }
  if (hash === undefined || sign === undefined) return;
  const expected = sign.next(Buffer.from(hash.digest()).toString("hex"));
  if (isSignature(expected, signature)) return;
  throw new S3Fault(
    "SignatureDoesNotMatch",
    "The signature of a chunk does not match what was received. Nothing was stored.",
  );
}
