import type { Actor } from "./activity.ts";
import type { Lifetime } from "./lifetime.ts";
import type { Millis } from "./records.ts";

/** A link to a file or folder, for anyone who has its URL. */
export interface LinkRecord {
  /** A UUID that begins with the time of creation. */
  readonly id: string;
  /** See `hashLinkToken`. */
  readonly tokenHash: string;
  /** read: visitors see what is shared; drop: they send files into the folder, and see nothing. */
  readonly kind: "read" | "drop";
  readonly subject: LinkSubject;
  /** The key or account whose rights the link has. */
  readonly maker: Actor;
  /** Shown to visitors; null: none. */
  readonly title: string | null;
  /** argon2id, in PHC string format; null: visitors need no password. */
  readonly passwordHash: string | null;
  /** Another one after each change of the password, which ends the visits of before. */
  readonly passwordVersion: number;
  /** null: never. */
  readonly expiresAt: Millis | null;
  /** Visits that are left; null: any number. */
  readonly usesLeft: number | null;
  /** Visits until now. */
  readonly visits: number;
  readonly downloadOnly: boolean;
  /** The most bytes in one batch of a visitor of a drop link; null: no limit. */
  readonly maxBytes: number | null;
  /** The most files in one such batch; null: no limit. */
  readonly maxFiles: number | null;
  /** The lifetime of files that visitors send; null: as for other uploads to the folder. */
  readonly lifetime: Lifetime | null;
  /** Whether what is shared, or the folder that receives files, goes to the trash when the time of the link is over. */
  readonly deleteAtEnd: boolean;
  readonly createdAt: Millis;
  /** null: not revoked. */
  readonly revokedAt: Millis | null;
}

/** Bound to an id: nothing that takes the name later is shared. */
export interface LinkSubject {
  readonly kind: "file" | "folder";
  readonly id: string;
}

/** Whether a link has not ended by itself. Its subject and its maker decide too. */
export const isRunning = (
  { expiresAt, revokedAt }: Pick<LinkRecord, "expiresAt" | "revokedAt">,
  now: Millis,
): boolean => revokedAt === null && (expiresAt === null || now < expiresAt);

/** Who uses a link, for the audit log and the change feed. */
export const visitorOf = ({ id, title }: Pick<LinkRecord, "id" | "title">): Actor => ({
  kind: "link",
  id,
  name: title,
});
