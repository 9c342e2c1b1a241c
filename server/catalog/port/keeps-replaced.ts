import type { ReplaceLimit } from "../../domain/keep-time.ts";

/** How the replaced content of files is kept. */
export interface KeepsReplaced {
  /** As versions, for this long from now; undefined: the replaced blobs are condemned. */
  readonly keepReplacedMs?: number | undefined;
  /**
   * For callers that may not delete. "noEarlierEnd": a replaced file ends no earlier than before; "nothing": no file is
   * replaced. Otherwise the fault is "forbidden", and nothing is changed.
   */
  readonly replaceLimit?: ReplaceLimit | undefined;
}
