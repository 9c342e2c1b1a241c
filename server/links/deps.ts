import type { FindScopes } from "../access/find-scopes.ts";
import type { PasswordThrottle } from "../access/password-throttle.ts";
import type { Passwords } from "../access/passwords.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { LinkLedger } from "../catalog/port/links.ts";
import type { Files } from "../files/files.ts";
import type { Batches } from "../uploads/batches.ts";

/** What the service of links depends on. */
export interface LinksDeps {
  readonly catalog: LinkLedger &
    Pick<CatalogClock, "now"> &
    Pick<FileTree, "fileById" | "fileByKey" | "folderById" | "folderByKey" | "topFolder">;
  readonly files: Pick<Files, "findToRead" | "browse" | "measure" | "archive">;
  readonly batches: Pick<Batches, "create">;
  /** What a key or account may do now. */
  readonly scopesOf: FindScopes;
  readonly passwords: Passwords;
  readonly throttle: PasswordThrottle;
  /** Groups client addresses for the throttle. */
  readonly clientKey: (address: string) => string;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write what they have counted. */
  readonly flushPeers: () => Promise<void>;
  /** The setting: 0: links may work without an end. */
  readonly maxLinkDays: () => number;
  /** AUTH_SECRET, from which tokens are derived. */
  readonly secret: string;
}
