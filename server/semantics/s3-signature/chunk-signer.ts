import { ALGORITHM, type CredentialScope, scopeText, sha256Hex, signText } from "./signing.ts";

/** The signatures of the chunks of a body. Each covers the one before; the first, that of the request. */
export interface ChunkSigner {
  /** The signature of the next chunk, from the SHA-256 of its content in hex. */
  next(sha256: string): string;
  /** The signature of the trailers, each as `name:value` and a line feed. */
  trailers(text: string): string;
}

const EMPTY = sha256Hex("");

export function createChunkSigner(key: Buffer, scope: CredentialScope, seed: string): ChunkSigner {
  let previous = seed;
  const sign = (kind: string, hashes: readonly string[]): string => {
    const lines = [`${ALGORITHM}-${kind}`, scope.timestamp, scopeText(scope), previous];
    previous = signText(key, [...lines, ...hashes].join("\n"));
    return previous;
  };
  return {
    next: (sha256) => sign("PAYLOAD", [EMPTY, sha256]),
    trailers: (text) => sign("TRAILER", [sha256Hex(text)]),
  };
}
