import type { ActivityObject } from "./activity.ts";

/** A link that shows a file or folder to anyone who has its URL, or lets them send files. */
export interface LinkObject {
  id: string;
  /**
   * `s/` and a secret, relative to the base URL. null: `AUTH_SECRET` has changed since, so the URL is not
   * known any more; it still works.
   */
  url: string | null;
  /** read: visitors see it; drop: visitors send files into the folder, and see nothing. */
  kind: "read" | "drop";
  /** Shown to visitors; null: the name of the file or folder. */
  title: string | null;
  /** `key` and `name` are null while it is in the trash, and once it is deleted. */
  subject: { kind: "file" | "folder"; id: string; key: string | null; name: string | null };
  hasPassword: boolean;
  expiresAt: string | null;
  /** Visits that are left; null: any number. */
  usesLeft: number | null;
  /** Visits until now. */
  visits: number;
  /** Whether visitors see no previews. */
  downloadOnly: boolean;
  /** The most bytes in each set of files that a visitor sends to a drop link; null: any number. */
  maxBytes: number | null;
  /** The most files in each set that a visitor sends to a drop link; null: any number. */
  maxFiles: number | null;
  /**
   * unavailable: the file or folder is not there, or the key or account that made the link may not
   * share it any more.
   */
  state: "active" | "expired" | "used_up" | "revoked" | "unavailable";
  createdAt: string;
  revokedAt: string | null;
  /** The key or account that made it. */
  createdBy: ActivityObject["actor"];
}

/** What a link may have. */
export interface LinkOptions {
  title?: string | null;
  password?: string | null;
  /** `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  expiresAt?: string | null;
  /** In seconds, instead of `expiresAt`. */
  expiresIn?: number;
  /** Visits from now on. */
  uses?: number | null;
  downloadOnly?: boolean;
  maxBytes?: number | null;
  maxFiles?: number | null;
}

export type NewLink = LinkOptions & { kind?: LinkObject["kind"] } & (
    | { fileId: string }
    | { folderId: string }
  );

export interface LinkParameters {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  fileId?: string;
  folderId?: string;
  includeRevoked?: boolean;
}

export interface LinkPage {
  /** Newest first. */
  links: LinkObject[];
  /** null on the last page. */
  nextCursor: string | null;
}
