import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { ChunkSigner } from "../../../semantics/s3-signature/chunk-signer.ts";
import { isSignature } from "../../../semantics/s3-signature/signing.ts";
import type { ByteReader } from "./byte-reader.ts";

const SIGNATURE = "x-amz-trailer-signature";
const MAX_LINE = 1024;
const MAX_LINES = 16;

/**
 * Reads the trailers after the last chunk, and verifies their signature if the chunks are signed.
 * S3Fault "MalformedTrailerError", "SignatureDoesNotMatch".
 */
export async function readTrailers(
  reader: ByteReader,
  sign: ChunkSigner | undefined,
): Promise<ReadonlyMap<string, string>> {
  const trailers = new Map<string, string>();
  let signature: string | undefined;
  for (let lines = 0; ; lines += 1) {
    if (lines === MAX_LINES) throw malformed("there are too many");
    const line = await trailerLine(reader);
    // minio-go has an empty line before the signature.
    if (line === "" && sign !== undefined && signature === undefined) continue;
    if (line === "") break;
    const [, name = "", value = ""] = /^([\w-]+):[ \t]*(\S+)[ \t]*$/.exec(line) ?? [];
    if (name === "") throw malformed("each must be `name:value`");
    const isSecond = trailers.has(name.toLowerCase()) || signature !== undefined;
    if (isSecond) throw malformed(`${name} is repeated, or follows the signature`);
    if (name.toLowerCase() === SIGNATURE && sign !== undefined) signature = value;
    else trailers.set(name.toLowerCase(), value);
  }
  if (sign !== undefined) verify(sign, trailers, signature ?? "");
  return trailers;
}

/** Without its line break: CRLF, or the lone LF that minio-go sends before the empty line. */
async function trailerLine(reader: ByteReader): Promise<string> {
  let line = "";
  for (;;) {
    const byte = await reader.some(1);
    if (byte[0] === 10) return line.endsWith("\r") ? line.slice(0, -1) : line;
    line += String.fromCharCode(byte[0] ?? 0);
    if (line.length > MAX_LINE) throw malformed(`one is longer than ${MAX_LINE} characters`);
  }
}

function verify(sign: ChunkSigner, trailers: ReadonlyMap<string, string>, signature: string): void {
  const text = [...trailers].map(([name, value]) => `${name}:${value}\n`).join("");
  if (isSignature(sign.trailers(text), signature)) return;
  throw new S3Fault(
    "SignatureDoesNotMatch",
    "The signature of the trailers does not match them. Nothing was stored.",
  );
}

const malformed = (why: string): S3Fault =>
  new S3Fault(
    "MalformedTrailerError",
    `The request contained trailing data that was not well-formed: trailers must be as announced, but ${why}.`,
  );
