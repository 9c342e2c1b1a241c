import { type Advice, error, warning } from "../../config/advice.ts";
import type { Config } from "../../config/config.ts";
import { openRedis } from "../../instance/open-redis.ts";
import { describeRedisError } from "../../redis/connection.ts";
import type { RedisEvent } from "../../redis/redis-client.ts";

/** Connects to Redis, if one is configured, and reports what is wrong with it. */
export async function examineRedis({ redis }: Config): Promise<Advice[]> {
  if (redis === null) return [];
  const events: RedisEvent[] = [];
  const client = await openRedis(redis, (event) => events.push(event));
  client.close();
  return events.flatMap(adviceOn);
}

function adviceOn(event: RedisEvent): Advice[] {
  if (event.event === "lost") {
    return [
      error(
        `Redis at ${event.address} cannot be used: ${describeRedisError(event.cause)}. Each server counts requests and password attempts by itself, so a client has a separate budget on each server.`,
        "Make sure that Redis runs and can be reached from here, and that REDIS_URL has its address, user and password.",
      ),
    ];
  }
  if (event.event === "back") return [];
  return [
    warning(
      `Redis at ${event.address} takes ${event.tookMs.toFixed(1)} ms to reply. A request waits at most 3 ms, so each server counts most requests by itself.`,
      "Run a Redis near the servers.",
    ),
  ];
}
