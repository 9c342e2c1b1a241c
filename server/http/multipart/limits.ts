/** How far a form may go. Each limit is hard: a body past it is refused. */
export interface MultipartLimits {
  /** Parts in all, fields and files together. */
  readonly parts: number;
  /** Bytes of one part's headers. */
  readonly headerBytes: number;
  /** Headers of one part. */
  readonly headers: number;
  /** Bytes before the first boundary. */
  readonly preambleBytes: number;
  /** Bytes after the closing boundary. */
  readonly epilogueBytes: number;
  /** Bytes of all parts that nobody wanted to read, taken together. */
  readonly unreadBytes: number;
}

/** Far above what clients send, far below what would hurt. */
export function defaultLimits(parts: number): MultipartLimits {
  return {
    parts,
    headerBytes: 16 * 1024,
    headers: 32,
    preambleBytes: 4 * 1024,
    epilogueBytes: 4 * 1024,
    unreadBytes: 1024 * 1024,
  };
}
