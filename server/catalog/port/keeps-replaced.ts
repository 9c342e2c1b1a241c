/** How the replaced content of files is kept. */
export interface KeepsReplaced {
  /** As versions, for this long from now; undefined: the replaced blobs are condemned. */
  readonly keepReplacedMs?: number | undefined;
}
