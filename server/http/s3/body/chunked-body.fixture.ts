import type { ChunkSigner } from "../../../semantics/s3-signature/chunk-signer.ts";
import { sha256Hex } from "../../../semantics/s3-signature/signing.ts";

/** How a client frames a body as `aws-chunked`. */
export interface Framing {
  /** undefined: the chunks are not signed. */
  readonly sign?: ChunkSigner | undefined;
  /** undefined: no trailers are sent, not even none. */
  readonly trailers?: Readonly<Record<string, string>> | undefined;
}

/** The body with these chunks, none of them empty. */
export function frameChunks(chunks: readonly Uint8Array[], { sign, trailers }: Framing): Buffer {
  const parts: Uint8Array[] = [];
  for (const chunk of [...chunks, new Uint8Array(0)]) {
    const signature = sign && `;chunk-signature=${sign.next(sha256Hex(chunk))}`;
    parts.push(Buffer.from(`${chunk.length.toString(16)}${signature ?? ""}\r\n`), chunk);
    if (chunk.length > 0) parts.push(Buffer.from("\r\n"));
  }
  const lines = Object.entries(trailers ?? {}).map(([name, value]) => `${name}:${value}`);
  parts.push(Buffer.from(lines.map((line) => `${line}\r\n`).join("")));
  if (sign !== undefined && trailers !== undefined) {
    const signature = sign.trailers(lines.map((line) => `${line}\n`).join(""));
    parts.push(Buffer.from(`x-amz-trailer-signature:${signature}\r\n`));
  }
  parts.push(Buffer.from("\r\n"));
  return Buffer.concat(parts);
}

/** The bytes in pieces of these lengths, repeated; a length of 0 gives an empty piece. */
export async function* inPieces(
  bytes: Uint8Array,
  lengths: readonly number[],
): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? bytes.length;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}
