import {
  FAILURES_EXPIRE_MS,
  FIRST_WAIT_MS,
  type MemoryPasswordThrottle,
  type PasswordThrottle,
  type ThrottleSubject,
  tooManyFailures,
} from "../access/password-throttle.ts";
import type { RedisClient } from "./redis-client.ts";
import { defineScript, evalSha } from "./redis-script.ts";

/**
 * An attempt of some subjects, by the rules of the in-memory throttle. Returns the milliseconds to
 * wait and counts nothing, or counts the attempt and returns 0. A subject's key holds its failures and
 * the end of its wait, and expires.
 */
export const ATTEMPT = defineScript(`
  local first, expiry = tonumber(ARGV[1]), tonumber(ARGV[2])
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local wait, counts = 0, {}
  for i, key in ipairs(KEYS) do
    local longest = tonumber(ARGV[2 * i + 2])
    local count, till = string.match(redis.call('GET', key) or '', '^(%d+) (%d+)$')
    counts[i] = tonumber(count) or 0
    -- The clock may have been set back.
    wait = math.max(wait, math.min((tonumber(till) or 0) - now, longest))
  end
  if wait > 0 then return wait end
  for i, key in ipairs(KEYS) do
    local free, longest = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
    local count, pause = counts[i] + 1, 0
    if count >= free then pause = math.min(first * 2 ^ (count - free), longest) end
    local text = string.format('%d %.0f', count, now + pause)
    redis.call('SET', key, text, 'PX', string.format('%.0f', pause + expiry))
  end
  return 0`);

export interface RedisPasswordThrottleParts {
  readonly redis: Pick<RedisClient, "send">;
  /** Start of the keys. */
  readonly prefix: string;
  /** This server's own counts: decides when Redis does not reply. */
  readonly fallback: MemoryPasswordThrottle;
}

/** A password throttle that several servers share. */
export function createRedisPasswordThrottle(parts: RedisPasswordThrottleParts): PasswordThrottle {
  const { redis, prefix, fallback } = parts;
  const keysOf = (subjects: readonly ThrottleSubject[]): string[] =>
    subjects.map(({ kind, id }) => `${prefix}${kind}:${id}`);

  return {
    async attempt(...subjects) {
      const rules = subjects.flatMap(({ freeAttempts, maxWaitMs }) => [freeAttempts, maxWaitMs]);
      const values = [FIRST_WAIT_MS, FAILURES_EXPIRE_MS, ...rules];
      const waitMs = await redis.send(evalSha(ATTEMPT, keysOf(subjects), values));
      if (typeof waitMs !== "number") return fallback.attempt(...subjects);
      if (waitMs > 0) throw tooManyFailures(waitMs);
      try {
        // Counted here too, for when Redis is unavailable.
        fallback.attempt(...subjects);
      } catch {
        // Another server has reset failures that this one still counts.
      }
    },
    async reset(...subjects) {
      fallback.reset(...subjects);
      await redis.send(["DEL", ...keysOf(subjects)]);
    },
  };
}
