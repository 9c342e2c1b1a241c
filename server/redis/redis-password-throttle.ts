import {
  FIRST_WAIT,
  FORGIVEN_AFTER,
  type MemoryPasswordThrottle,
  type PasswordThrottle,
  type ThrottleSubject,
  tooManyFailures,
} from "../access/password-throttle.ts";
import type { RedisClient } from "./redis-client.ts";
import { call, script } from "./redis-script.ts";

/**
 * A try of some subjects, by the rules of the throttle in memory. Returns the milliseconds to wait
 * and counts nothing, or counts the try and returns 0. A subject's key holds its failures, and until
 * when it has to wait; it ends by itself.
 */
export const ATTEMPT = script(`
  local first, forgiven = tonumber(ARGV[1]), tonumber(ARGV[2])
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local wait, counts = 0, {}
  for i, key in ipairs(KEYS) do
    local longest = tonumber(ARGV[2 * i + 2])
    local count, till = string.match(redis.call('GET', key) or '', '^(%d+) (%d+)$')
    counts[i] = tonumber(count) or 0
    -- The clock may have been put back.
    wait = math.max(wait, math.min((tonumber(till) or 0) - now, longest))
  end
  if wait > 0 then return wait end
  for i, key in ipairs(KEYS) do
    local free, longest = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
    local count, pause = counts[i] + 1, 0
    if count >= free then pause = math.min(first * 2 ^ (count - free), longest) end
    local text = string.format('%d %.0f', count, now + pause)
    redis.call('SET', key, text, 'PX', string.format('%.0f', pause + forgiven))
  end
  return 0`);

export interface RedisPasswordThrottleParts {
  readonly link: Pick<RedisClient, "ask">;
  /** What the keys begin with. */
  readonly prefix: string;
  /** What this process alone has seen: it decides when Redis does not. */
  readonly own: MemoryPasswordThrottle;
}

/** Slows down guessing for all who use this Redis together. */
export function createRedisPasswordThrottle({
  link,
  prefix,
  own,
}: RedisPasswordThrottleParts): PasswordThrottle {
  const keysOf = (subjects: readonly ThrottleSubject[]): string[] =>
    subjects.map(({ kind, id }) => `${prefix}${kind}:${id}`);

  return {
    async attempt(...subjects) {
      const patience = subjects.flatMap(({ freeTries, longestWait }) => [freeTries, longestWait]);
      const values = [FIRST_WAIT, FORGIVEN_AFTER, ...patience];
      const wait = await link.ask(call(ATTEMPT, keysOf(subjects), values));
      if (typeof wait !== "number") return own.attempt(...subjects);
      if (wait > 0) throw tooManyFailures(wait);
      try {
        // Noted here too, for when Redis is gone.
        own.attempt(...subjects);
      } catch {
        // Others have been forgiven what this process still holds against them.
      }
    },
    async forgive(...subjects) {
      own.forgive(...subjects);
      await link.ask(["DEL", ...keysOf(subjects)]);
    },
  };
}
