import { expect } from "bun:test";
import { openRedisClient, type RedisClient, type RedisEvent } from "./redis-client.ts";
import { ATTEMPT } from "./redis-password-throttle.ts";
import { COUNT } from "./redis-rate-limit.ts";
import { call } from "./redis-script.ts";
import type { RedisServer } from "./redis-server.fixture.ts";

export interface LinkBed {
  readonly link: RedisClient;
  readonly events: RedisEvent[];
  /** Shortens what is left of every key, and moves `now` on, which is as if time had passed. */
  pass(ms: number): Promise<void>;
  now(): number;
}

let count = 0;

/** What every key of a new instance begins with. */
export function freshPrefix(): string {
  count += 1;
  return `test-${process.pid}-${count}:`;
}

/** A link that waits for answers however busy this machine is, unless it is told otherwise. */
export async function openBed(
  { url }: Pick<RedisServer, "url">,
  options: { prefix?: string; deadline?: number; patience?: number } = {},
): Promise<LinkBed> {
  const { prefix = freshPrefix(), deadline = 20_000, patience = 1000 } = options;
  const events: RedisEvent[] = [];
  const link = await openRedisClient({
    ...{ url, prefix, deadline, patience },
    scripts: [COUNT, ATTEMPT],
    trial: call(COUNT, [`${prefix}trial`], [1000]),
    pause: 100,
    onEvent: (event) => events.push(event),
  });
  let passed = 0;
  return {
    link,
    events,
    now: () => performance.now() + passed,
    async pass(ms) {
      passed += ms;
      const text = `for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
        redis.call('PEXPIRE', key, redis.call('PTTL', key) - ARGV[2])
      end return 1`;
      expect(await link.ask(["EVAL", text, "0", `${prefix}*`, String(ms)])).toBe(1);
    },
  };
}
