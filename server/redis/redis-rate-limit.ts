import type { RateLimit, Verdict } from "../limits/port.ts";
import type { RedisClient } from "./redis-client.ts";
import { call, script } from "./redis-script.ts";
import { createRefusalCache } from "./refusal-cache.ts";

/**
 * Counts one more in a window that starts with the first. Returns how many there are in it now, and
 * the milliseconds to its end. Nothing is ever counted in a key that does not end by itself.
 */
export const COUNT = script(`
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then
    redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
    return {1, tonumber(ARGV[1])}
  end
  return {redis.call('INCR', KEYS[1]), left}`);

export interface RedisRateLimitParts {
  readonly link: Pick<RedisClient, "ask">;
  /** What the keys begin with: another limit's begin otherwise. */
  readonly prefix: string;
  /** Requests within one window, at least 1. */
  readonly limit: number;
  /** In milliseconds, of Redis' own clock. */
  readonly window?: number;
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: () => number;
  /** The same limit by what this process alone has seen: it decides when Redis does not. */
  readonly own: RateLimit;
}

/**
 * A rate limit that all who use this Redis share. Whoever has been refused stays so until the window
 * ends, so Redis is not asked again for each request of a flood.
 */
export function createRedisRateLimit(parts: RedisRateLimitParts): RateLimit {
  const { link, prefix, limit, window = 60_000, now, own } = parts;
  const refusals = createRefusalCache(now);

  function verdict(client: string, answer: unknown): Verdict | undefined {
    if (!Array.isArray(answer)) return undefined;
    const [count, left] = answer.map(Number);
    if (count === undefined || left === undefined) return undefined;
    if (count <= limit) return { allowed: true };
    refusals.note(client, left);
    return refusal(left);
  }

  return {
    take(client) {
      const alone = own.take(client);
      const left = refusals.left(client);
      if (left > 0) return refusal(left);
      const asked = link.ask(call(COUNT, [prefix + client], [window]));
      return asked === undefined ? alone : asked.then((answer) => verdict(client, answer) ?? alone);
    },
  };
}

const refusal = (left: number): Verdict => ({
  allowed: false,
  retryAfter: Math.max(1, Math.ceil(left / 1000)),
});
