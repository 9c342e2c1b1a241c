import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";
import type { RateLimit, Verdict } from "../limits/port.ts";
import type { RedisClient } from "./redis-client.ts";
import { defineScript, evalSha } from "./redis-script.ts";

/**
 * Counts a request in a window that starts with the first. Returns the count and the milliseconds to
 * the window's end. A key without an expiry is replaced, so every key expires.
 */
export const COUNT = defineScript(`
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then
    redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
    return {1, tonumber(ARGV[1])}
  end
  return {redis.call('INCR', KEYS[1]), left}`);

export interface RedisRateLimitDeps {
  readonly redis: Pick<RedisClient, "send">;
  /** Start of the keys; unique to this limit. */
  readonly prefix: string;
  /** Requests per window, at least 1. */
  readonly limit: number;
  /** Length of the window in milliseconds, on Redis' clock. */
  readonly window?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** The same limit with this server's counts alone: decides when Redis does not reply. */
  readonly fallback: RateLimit;
}

/** A rate limit that several servers share. A client that is refused stays refused until its window ends. */
export function createRedisRateLimit(deps: RedisRateLimitDeps): RateLimit {
  const { redis, prefix, limit, window = 60_000, now, fallback } = deps;
  const refusalCache = createRefusalCache(now);

  function toVerdict(client: string, reply: unknown): Verdict | undefined {
    if (!Array.isArray(reply)) return undefined;
    const [count, remainingMs] = reply.map(Number);
    if (count === undefined || remainingMs === undefined) return undefined;
    if (count <= limit) return { allowed: true };
    refusalCache.add(client, remainingMs);
    return refusal(remainingMs);
  }

  return {
    take(client) {
      const own = fallback.take(client);
      const remainingMs = refusalCache.remainingMs(client);
      if (remainingMs > 0) return refusal(remainingMs);
      const reply = redis.send(evalSha(COUNT, [prefix + client], [window]));
      return reply === undefined ? own : reply.then((found) => toVerdict(client, found) ?? own);
    },
  };
}

const refusal = (remainingMs: number): Verdict => ({
  allowed: false,
  retryAfter: Math.max(1, Math.ceil(remainingMs / 1000)),
});

/** Clients that Redis has refused, so that a flood of theirs does not reach Redis. */
interface RefusalCache {
  add(client: string, ms: number): void;
  /** Milliseconds until the refusal ends; 0: not refused. */
  remainingMs(client: string): number;
}

/** Beyond that, the oldest entries are dropped and Redis decides again. */
const MAX_CLIENTS = 100_000;

/** `now`: milliseconds of a monotonic clock. */
function createRefusalCache(now: () => number = () => performance.now()): RefusalCache {
  const refusedUntil = createTwoGenerationCache<string, number>(MAX_CLIENTS);
  return {
    add: (client, ms) => refusedUntil.set(client, now() + ms, 1),
    remainingMs: (client) => Math.max(0, (refusedUntil.get(client) ?? 0) - now()),
  };
}
