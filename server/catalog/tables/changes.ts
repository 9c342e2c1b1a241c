import type { Generated } from "kysely";
import type { Key, Millis } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";

/** The change feed. */
export interface ChangesTable {
  /**
   * The position in the feed, without gaps. null: not numbered yet (only where transactions may
   * commit in another order than they wrote).
   */
  seq: Generated<number | null>;
  kind: TreeChange["kind"] | "feed.started";
  /** The id of the file or folder. */
  subject_id: string;
  /** After the change; of something deleted: before it. */
  key: Key;
  /** Before the change, if it was moved. */
  from_key: Key | null;
  /** JSON. */
  actor: string;
  at: Millis;
  /** JSON of what else an entry needs; null: nothing. */
  data: string | null;
}
