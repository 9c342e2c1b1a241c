export interface TransferOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes of the whole bundle that have been sent. A resumed upload begins with its offset. */
  readonly onProgress: (loaded: number) => void;
  /** Called with the new upload URL of a large file, before its bytes are sent. */
  readonly onCreated: (url: string) => void;
}
