import type { Sealer } from "../access/sealer.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { FeedPlaces, WebhookLedger } from "../catalog/port/webhooks.ts";
import type { Actor } from "../domain/activity.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import type { Scope } from "../domain/callers/scope.ts";
import type { Feed, SeenChange } from "../feed/feed.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";

/** What the service of webhooks depends on. */
export interface WebhooksDeps {
  readonly catalog: WebhookLedger &
    FeedPlaces &
    Pick<CatalogClock, "now"> &
    Pick<FileTree, "folderById" | "folderByKey">;
  readonly feed: Pick<Feed, "end" | "steps" | "placesAt">;
  readonly outgoing: Outgoing;
  /** Encrypts the secrets of webhooks. */
  readonly sealer: Sealer;
  /** What a key or account may do now. */
  readonly scopeOf: (maker: Actor) => MaybePromise<Scope | undefined>;
  /** A change as the API object of the feed, for a reader with these limits. */
  readonly describeChange: (
    change: SeenChange,
    reader: SeenBy & { readonly isLimited: boolean; readonly makerId: string | null },
  ) => object;
  /** Names this process among all senders. */
  readonly owner: string;
  readonly onError: (message: string, cause: unknown) => void;
  /** Pauses after failed attempts, in milliseconds. */
  readonly pauses?: readonly number[];
}
