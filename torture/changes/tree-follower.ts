import { Holdall } from "../../sdk/src/holdall.ts";
import type { Reachable } from "../../test/client.ts";
import { createFeedTree, sortedContent, type TreeContent } from "../../test/feed-tree.ts";
import { randomInt } from "../random.ts";

/** A client that keeps a copy of the tree by the change feed alone. */
export interface TreeFollower {
  /** The copy as it is now. */
  content(): TreeContent;
  /** The cursors of all changes, in the order in which they came. */
  readonly cursors: readonly string[];
  /** Whether it has every change up to this cursor. */
  hasReached(cursor: string): boolean;
  readonly problems: readonly string[];
  end(): Promise<void>;
}

/** A stream is given up after this time at most, and the next one goes to any of the servers. */
const MAX_STREAM_MS = 4000;

const clientOf = ({ url, apiKey }: Reachable): Holdall => new Holdall({ url, apiKey });

/** Starts with a listing; nothing may change until it resolves. */
export async function startFollower(servers: readonly Reachable[]): Promise<TreeFollower> {
  const first = servers[0];
  if (first === undefined) throw new Error("There is no server to follow.");
  const { cursor: start } = await clientOf(first).changes.list();
  const tree = createFeedTree(await readTree(first));
  const cursors: string[] = [];
  const problems: string[] = [];
  let since = start;
  let isEnded = false;
  let stream = new AbortController();

  async function followOne(server: Reachable): Promise<void> {
    stream = new AbortController();
    const timer = setTimeout(() => stream.abort(), randomInt(200, MAX_STREAM_MS));
    try {
      const changes = clientOf(server).changes.follow({ since, signal: stream.signal });
      for await (const change of changes) {
        tree.apply(change);
        since = change.cursor;
        cursors.push(since);
        if (stream.signal.aborted) return;
      }
    } catch (error) {
      if (!stream.signal.aborted) problems.push(`Following failed: ${String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }

  const running = (async () => {
    while (!isEnded && problems.length === 0) {
      await followOne(servers[randomInt(0, servers.length)] ?? first);
    }
  })();

  return {
    content: tree.content,
    cursors,
    hasReached: (cursor) => since === cursor,
    problems,
    async end() {
      isEnded = true;
      stream.abort();
      await running;
    },
  };
}

/** Everything that the server lists. */
export async function readTree(server: Reachable): Promise<TreeContent> {
  const holdall = clientOf(server);
  const { folder, folders } = await holdall.folders.root();
  const all = [folder];
  for (const waiting = [...folders]; ; ) {
    const next = waiting.shift();
    if (next === undefined) break;
    all.push(next);
    waiting.push(...(await holdall.folders.browse({ id: next.id })).folders);
  }
  return sortedContent({ files: await holdall.files.list(), folders: all });
}

const SETTLE_MS = 30_000;

/**
 * Waits until the followers have every change, and compares their copies with the server's tree.
 * Nothing may change meanwhile. Returns what is wrong.
 */
export async function compareWithTree(
  followers: readonly TreeFollower[],
  server: Reachable,
): Promise<string[]> {
  const { cursor } = await clientOf(server).changes.list();
  const end = performance.now() + SETTLE_MS;
  const haveAll = (): boolean => followers.every((each) => each.hasReached(cursor));
  while (!haveAll() && performance.now() < end) await Bun.sleep(20);
  if (!haveAll()) return ["A follower did not get the last change."];
  const tree = await readTree(server);
  const [one] = followers;
  return followers.flatMap((follower) => [
    ...(Bun.deepEquals(follower.content(), tree) ? [] : [differenceOf(follower.content(), tree)]),
    ...(Bun.deepEquals(follower.cursors, one?.cursors)
      ? []
      : ["Two followers got different changes, or another order."]),
    ...follower.problems,
  ]);
}

function differenceOf(copy: TreeContent, tree: TreeContent): string {
  const lines = ({ files, folders }: TreeContent): Set<string> =>
    new Set([...files, ...folders].map((each) => JSON.stringify(each)));
  const [has, should] = [lines(copy), lines(tree)];
  const extra = [...has].filter((line) => !should.has(line)).slice(0, 3);
  const missing = [...should].filter((line) => !has.has(line)).slice(0, 3);
  return `A copy made from the feed has ${extra.join(" ")} and lacks ${missing.join(" ")}.`;
}
