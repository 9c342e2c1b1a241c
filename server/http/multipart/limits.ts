/** Limits of a form. A body that exceeds one of them is rejected. */
export interface MultipartLimits {
  /** Number of parts, fields and files together. */
  readonly parts: number;
  /** Total bytes of one part's headers. */
  readonly headerBytes: number;
  /** Number of headers of one part. */
  readonly headers: number;
  /** Bytes before the first boundary. */
  readonly preambleBytes: number;
  /** Bytes after the closing boundary. */
  readonly epilogueBytes: number;
  /** Bytes of all unread parts together. */
  readonly unreadBytes: number;
}

/** The default limits: far above what clients send, far below what would exhaust the server. */
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
