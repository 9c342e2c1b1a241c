import type { Config } from "../../config/config.ts";
import { openRedis } from "../../instance/open-redis.ts";
import { describeRedisError } from "../../redis/describe-redis-error.ts";
import type { RedisEvent } from "../../redis/redis-client.ts";
import { type Advice, careful, wrong } from "./advice.ts";

/** What Redis tells, where there is to be one. */
export async function examineRedis({ redis }: Config): Promise<Advice[]> {
  if (redis === null) return [];
  const events: RedisEvent[] = [];
  const link = await openRedis(redis, (event) => events.push(event));
  link.close();
  return events.flatMap(adviceOn);
}

function adviceOn(event: RedisEvent): Advice[] {
  if (event.event === "lost") {
    return [
      wrong(
        `Redis at ${event.place} cannot be used: ${describeRedisError(event.cause)}. Each server counts requests and guesses at passwords by itself, so a client has as many budgets as there are servers.`,
        "See to it that Redis runs and can be reached from here, and that REDIS_URL has its address, user and password.",
      ),
    ];
  }
  if (event.event === "back") return [];
  return [
    careful(
      `Redis at ${event.place} takes ${event.took.toFixed(1)} ms to answer. A request waits no longer than 3 ms, so most are counted by each server itself.`,
      "Run a Redis near the servers.",
    ),
  ];
}
