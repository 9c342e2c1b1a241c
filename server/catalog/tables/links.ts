import type { Actor } from "../../domain/activity.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import type { Millis } from "../../domain/records.ts";

/** A share link. */
export interface LinksTable {
  id: string;
  token_hash: string;
  kind: "read" | "drop";
  subject_kind: "file" | "folder";
  subject_id: string;
  maker_kind: Actor["kind"];
  maker_id: string | null;
  maker_name: string | null;
  /** null: none. */
  title: string | null;
  /** argon2id, in PHC string format; null: none. */
  password_hash: string | null;
  /** Another one after each change of the password. */
  password_version: number;
  /** null: never. */
  expires_at: Millis | null;
  /** Visits that are still allowed; null: any number. */
  uses_left: number | null;
  visits: number;
  download_only: 0 | 1;
  /** The most bytes that a visitor may send; null: the link sets no limit. */
  max_bytes: number | null;
  /** The most files that a visitor may send; null: the link sets no limit. */
  max_files: number | null;
  /** The lifetime of files that visitors send; null: that of the folder. */
  lifetime: Lifetime | null;
  /** 1: what it leads to goes to the trash when it ends; null: not, or it has gone. */
  delete_at_end: 1 | null;
  created_at: Millis;
  revoked_at: Millis | null;
}
