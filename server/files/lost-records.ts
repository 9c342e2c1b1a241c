/**
 * Whether the catalog has lost records. Then a blob without a record may be an acknowledged upload, so
 * nothing removes it: it moves to the quarantine. This holds until a repair has run.
 */
export interface LostRecords {
  isSuspected(): boolean;
  /** Remembers and logs the loss. If it throws, nothing may be removed. */
  suspect(reason: string): void;
  /** The name of the quarantine. */
  readonly quarantine: string;
  /** Logs that blobs were moved to the quarantine. */
  onMoved(count: number): void;
}
