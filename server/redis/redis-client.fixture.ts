import { expect } from "bun:test";
import { openRedisClient, type RedisClient, type RedisEvent } from "./redis-client.ts";
import { ATTEMPT, END_ATTEMPT } from "./redis-password-throttle.ts";
import { COUNT } from "./redis-rate-limit.ts";
import { evalSha } from "./redis-script.ts";
import type { RedisServer } from "./redis-server.fixture.ts";

export interface RedisFixture {
  readonly redis: RedisClient;
  readonly events: RedisEvent[];
  /** Simulates that time passes: shortens the expiry of every key and advances `now`. */
  pass(ms: number): Promise<void>;
  now(): number;
}

let prefixes = 0;

/** A key prefix that no other test uses. */
export function freshPrefix(): string {
  prefixes += 1;
  return `test-${process.pid}-${prefixes}:`;
}

/** By default the deadline is long, so that tests pass on a busy machine. */
export async function openRedisFixture(
  { url }: Pick<RedisServer, "url">,
  options: { prefix?: string; deadlineMs?: number; timeoutMs?: number } = {},
): Promise<RedisFixture> {
  const { prefix = freshPrefix(), deadlineMs = 20_000, timeoutMs = 1000 } = options;
  const events: RedisEvent[] = [];
  const redis = await openRedisClient({
    url,
    prefix,
    deadlineMs,
    timeoutMs,
    scripts: [COUNT, ATTEMPT, END_ATTEMPT],
    probe: evalSha(COUNT, [`${prefix}trial`], [1000]),
    reconnectMs: 100,
    onEvent: (event) => events.push(event),
  });
  let passedMs = 0;
  return {
    redis,
    events,
    now: () => performance.now() + passedMs,
    async pass(ms) {
      passedMs += ms;
      const text = `for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
        redis.call('PEXPIRE', key, redis.call('PTTL', key) - ARGV[2])
      end return 1`;
      expect(await redis.send(["EVAL", text, "0", `${prefix}*`, String(ms)])).toBe(1);
    },
  };
}
