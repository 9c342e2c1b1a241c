import type { LinkRecord, LinkSubject } from "../../domain/links.ts";
import type { Key, Millis } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";

/** Links for visitors. Callers hash tokens and passwords, and check what a link's maker may do. */
export interface LinkLedger {
  /** Fault "not_found": the file or folder is not in the tree. */
  addLink(link: LinkRecord): Promise<void>;
  linkById(id: string): MaybePromise<LinkRecord | undefined>;
  linkByTokenHash(tokenHash: string): MaybePromise<LinkRecord | undefined>;
  /** Newest first. */
  listLinks(filter: LinkFilter): Promise<ListedLink[]>;
  /**
   * Another password also removes the open uploads and batches of its visitors. undefined: there is no
   * such link, or it is revoked.
   */
  changeLink(change: LinkChange): Promise<LinkRecord | undefined>;
  /**
   * Removes the open uploads and batches of its visitors too. false: there is no such link, or it is
   * revoked already.
   */
  revokeLink(id: string): Promise<boolean>;
  /**
   * Counts a visit, and takes it from those that are left. false, and nothing is counted: none is left,
   * the password was changed, or the link is revoked or has expired.
   */
  countVisit(visit: LinkVisit): Promise<boolean>;
  /** Adds visits of links without a limit of visits. Unknown links are left out. */
  addVisits(counts: readonly VisitCount[]): Promise<void>;
  /**
   * Moves what one link with `deleteAtEnd` leads to, whose time is over by the catalog's clock, to the trash for
   * `keepMs`. Returns whether there may be more.
   */
  deleteAtEndOfLink(keepMs: number): Promise<boolean>;
  /**
   * Removes at most `limit` links that ended before `endedBefore`, or whose file or folder was deleted
   * permanently. Returns whether there may be more.
   */
  removeEndedLinks(endedBefore: Millis, limit: number): Promise<boolean>;
}

export interface LinkFilter {
  /** Only these links; left out: all. */
  readonly ids?: readonly string[] | undefined;
  /** Only links that these keys and accounts have made; left out: all. */
  readonly makerIds?: readonly string[] | undefined;
  readonly subject?: LinkSubject | undefined;
  readonly includesRevoked: boolean;
  /** Only links before this id in the list; left out: from the first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A link with the current key of its file or folder. null: it is not in the tree. */
export interface ListedLink extends LinkRecord {
  readonly subjectKey: Key | null;
  /** Also in the trash; null: it is gone. That of the root is empty. */
  readonly subjectName: string | null;
}

/** What is left out stays; null removes. */
export interface LinkChange
  extends Partial<
    Pick<
      LinkRecord,
      | "title"
      | "passwordHash"
      | "expiresAt"
      | "usesLeft"
      | "downloadOnly"
      | "maxBytes"
      | "maxFiles"
      | "lifetime"
      | "deleteAtEnd"
    >
  > {
  readonly id: string;
}

export interface VisitCount {
  /** The id of the link. */
  readonly id: string;
  readonly count: number;
}

export interface LinkVisit {
  readonly id: string;
  /** The version of the password that the visitor gave, or of the link if it has no password. */
  readonly passwordVersion: number;
}
