import type { RedisClient, RedisEvent } from "../redis/redis-client.ts";
import type { RedisSettings } from "../redis/redis-settings.ts";

/** The link to Redis, with the means to count in it. It is there whether Redis is or not. */
export async function openRedis(
  settings: RedisSettings,
  onEvent: (event: RedisEvent) => void,
): Promise<RedisClient> {
  // Whoever has no use for it should not pay for it.
  const { openRedisClient } = await import("../redis/redis-client.ts");
  const { COUNT } = await import("../redis/redis-rate-limit.ts");
  const { ATTEMPT } = await import("../redis/redis-password-throttle.ts");
  const { call } = await import("../redis/redis-script.ts");
  return openRedisClient({
    ...settings,
    scripts: [COUNT, ATTEMPT],
    trial: call(COUNT, [`${settings.prefix}trial`], [1000]),
    onEvent,
  });
}
