import type { ChangeFeed } from "../catalog/port/feed.ts";
import type { Actor } from "../domain/activity.ts";
import { limitsOf, type SeenBy } from "../domain/callers/caller.ts";
import { topOf } from "../domain/callers/scope.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Millis } from "../domain/records.ts";
import type { FeedPosition } from "../domain/tree-change.ts";
import { giveWay } from "../lib/time-slices.ts";
import type { ChangeView } from "./change-view.ts";
import { createFeedScope, type FeedScope, placeBefore, type ScopeFolder } from "./feed-scope.ts";
import { createFeedWatcher } from "./feed-watcher.ts";

/**
 * The change feed for its readers: each change of the tree once, if and only if it was committed. A change that
 * depends on another comes after it.
 */
export interface Feed {
  /** The current end of the feed. */
  end(): Promise<FeedPosition>;
  /**
   * At most `limit` changes after a position, oldest first. Faults: "gone": the feed does not reach
   * back to the position; "not_found": a folder does not exist, or they have nothing in common.
   */
  page(caller: SeenBy, place: FeedPlace, limit: number): Promise<FeedPage>;
  /**
   * Follows the feed from a position. The caller must close what it returns. Faults: same as `page`;
   * "unavailable": too many readers follow it.
   */
  follow(caller: SeenBy, place: FeedPlace): Promise<FeedFollower>;
  /**
   * At most `limit` entries after a position, oldest first, also those that are not in the folders. `folders` is
   * where they were at the position. Fault "gone".
   */
  steps(after: FeedPosition, folders: readonly ScopeFolder[], limit: number): Promise<FeedStep[]>;
  /** The places that folders had at a position. Fault "gone". */
  placesAt(ids: readonly string[], position: FeedPosition): Promise<ScopeFolder[]>;
  /** Removes entries past the retention, up to a maximum per call. */
  prune(now: Millis): Promise<void>;
  /** Ends all followers. */
  close(): void;
}

export interface FeedPlace {
  readonly after: FeedPosition;
  /** The id of a folder that limits the feed to what is in it, and to what the caller sees. */
  readonly folderId: string | undefined;
}

export interface FeedFollower {
  /**
   * The next changes, as soon as there are any; none if there are none within `timeoutMs`. undefined:
   * the follower was closed. Fault "gone": the reader was too slow.
   */
  next(timeoutMs: number): Promise<FeedPage | undefined>;
  /** Aborted when the follower is closed, by the reader or by the feed. */
  readonly closed: AbortSignal;
  close(): void;
}

/** An entry of the feed for a reader who keeps its own place. */
export interface FeedStep extends Omit<SeenChange, "view"> {
  /** undefined: it is not in the folders. */
  readonly view: ChangeView | undefined;
  /** The places of the folders after it. */
  readonly folders: readonly ScopeFolder[];
}

export interface FeedPage {
  readonly changes: readonly SeenChange[];
  /** After the last change that was read, which may be one that is not in view. */
  readonly position: FeedPosition;
  /** Whether there are more changes to read. */
  readonly more: boolean;
}

export interface SeenChange {
  readonly position: FeedPosition;
  readonly at: Millis;
  readonly actor: Actor;
  readonly view: ChangeView;
}

export interface FeedDeps {
  readonly catalog: ChangeFeed;
  readonly onError: (message: string, cause: unknown) => void;
  readonly maxFollowers?: number;
  readonly retention?: FeedRetention;
}

export interface FeedRetention {
  readonly ms: number;
  readonly entries: number;
}

/** Each one is an open connection. */
const MAX_FOLLOWERS = 1000;
const RETENTION: FeedRetention = { ms: 7 * 24 * 3_600_000, entries: 1_000_000 };
/** The size of a follower's page, which stays in memory while its client reads nothing. */
const FOLLOW_LIMIT: PageLimit = { changes: 100, weight: 32 * 1024 };
/** Changes that are read in one query at least: a reader may see only some of them. */
const MIN_BATCH = 200;
/** Changes that are read for one page: a reader who sees few of them gets a short page. */
const MAX_READ = 5000;
const PRUNE_BATCH = 1000;
const MAX_PRUNE_BATCHES = 50;

interface PageLimit {
  readonly changes: number;
  /** See `weightOf`. Default: none. */
  readonly weight?: number;
}

export function createFeed(deps: FeedDeps): Feed {
  const { catalog, onError, maxFollowers = MAX_FOLLOWERS } = deps;
  const { retention = RETENTION } = deps;
  const watcher = createFeedWatcher(catalog, onError);
  const followers = new Set<AbortController>();
  let closed = false;

  async function scopeAt(caller: SeenBy, { after, folderId }: FeedPlace): Promise<FeedScope> {
    const limits = limitsOf(caller.within);
    const within = folderId === undefined ? limits : [...limits, folderId];
    const places = await Promise.all(within.map((id) => catalog.folderPlaces(id, after)));
    const present = places.filter((each) => each !== undefined);
    const isMissing = present.length < within.length;
    if (isMissing || topOf(present.map(({ key }) => key)) === undefined) {
      throw new Fault("not_found", "Folder not found.");
    }
    return createFeedScope(
      present.map((each, index) => ({ id: within[index] ?? "", ...placeBefore(each) })),
    );
  }

  async function read(
    after: FeedPosition,
    scope: FeedScope,
    { changes: limit, weight: maxWeight = Number.POSITIVE_INFINITY }: PageLimit,
  ): Promise<FeedPage> {
    const changes: SeenChange[] = [];
    let position = after;
    let weight = 0;
    const size = Math.max(limit + 1, MIN_BATCH);
    for (let count = 0; count < MAX_READ; count += size) {
      if (count > 0) await giveWay();
      const batch = await catalog.changesAfter(position, size);
      for (const { change, ...entry } of batch) {
        if (changes.length === limit || weight >= maxWeight) {
          return { changes, position, more: true };
        }
        position = entry.position;
        const view = scope.view(change);
        if (view === undefined) continue;
        weight += weightOf(view);
        changes.push({ ...entry, view });
      }
      if (batch.length < size) return { changes, position, more: false };
    }
    return { changes, position, more: true };
  }

  function follower(after: FeedPosition, scope: FeedScope): FeedFollower {
    const ending = new AbortController();
    const { signal } = ending;
    followers.add(ending);
    let position = after;
    let more = true;

    async function readOn(): Promise<FeedPage> {
      const page = await read(position, scope, FOLLOW_LIMIT);
      ({ position, more } = page);
      return page;
    }

    return {
      async next(timeoutMs) {
        if (signal.aborted) return undefined;
        const page = more ? await readOn() : undefined;
        if (page !== undefined && (page.changes.length > 0 || more)) return page;
        await watcher.wait(position.seq, timeoutMs, signal);
        return signal.aborted ? undefined : readOn();
      },
      closed: signal,
      close() {
        ending.abort();
        followers.delete(ending);
      },
    };
  }

  return {
    end: () => catalog.feedEnd(),
    page: async (caller, place, limit) =>
      read(place.after, await scopeAt(caller, place), { changes: limit }),
    async follow(caller, place) {
      if (closed || followers.size >= maxFollowers) throw tooManyFollowers();
      const scope = await scopeAt(caller, place);
      // Checks the position.
      await catalog.changesAfter(place.after, 1);
      if (closed || followers.size >= maxFollowers) throw tooManyFollowers();
      return follower(place.after, scope);
    },
    async steps(after, folders, limit) {
      const scope = createFeedScope(folders);
      const entries = await catalog.changesAfter(after, limit);
      return entries.map(({ change, ...entry }) => ({
        ...entry,
        view: scope.view(change),
        folders: scope.folders(),
      }));
    },
    async placesAt(ids, position) {
      const places = await Promise.all(ids.map((id) => catalog.folderPlaces(id, position)));
      return places.map((place, index) => ({
        id: ids[index] ?? "",
        ...(place === undefined ? {} : placeBefore(place)),
      }));
    },
    async prune(at) {
      const limits = { before: at - retention.ms, keep: retention.entries, limit: PRUNE_BATCH };
      await catalog.feedEnd();
      for (let batch = 0; batch < MAX_PRUNE_BATCHES; batch += 1) {
        if ((await catalog.pruneChanges(limits)) < PRUNE_BATCH) return;
      }
    },
    close() {
      closed = true;
      for (const each of [...followers]) each.abort();
    },
  };
}

/** About the length of a change as JSON: keys are its only long parts. */
const weightOf = ({ key, fromKey }: ChangeView): number =>
  500 + 3 * (key.length + (fromKey?.length ?? 0));

const tooManyFollowers = (): Fault =>
  new Fault("unavailable", "Too many readers follow the change feed. Try again later.", {
    retryAfter: 10,
  });
