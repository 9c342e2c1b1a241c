/** Limits of a form. A body beyond one of them is rejected. */
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
  /** Bytes of all unread parts together. */
  readonly unreadBytes: number;
}

/** Far above what clients send, far below what would exhaust the server. */
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
