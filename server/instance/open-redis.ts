import type { RedisClient, RedisEvent } from "../redis/redis-client.ts";
import type { RedisSettings } from "../redis/redis-settings.ts";

/** A Redis client with the scripts for limits. Resolves whether or not Redis is available. */
export async function openRedis(
  settings: RedisSettings,
  onEvent: (event: RedisEvent) => void,
): Promise<RedisClient> {
  // Loaded only where Redis is used: the library costs start-up time and memory.
  const { openRedisClient } = await import("../redis/redis-client.ts");
  const { COUNT } = await import("../redis/redis-rate-limit.ts");
  const { ATTEMPT, END_ATTEMPT } = await import("../redis/redis-password-throttle.ts");
  const { evalSha } = await import("../redis/redis-script.ts");
  return openRedisClient({
    ...settings,
    scripts: [COUNT, ATTEMPT, END_ATTEMPT],
    probe: evalSha(COUNT, [`${settings.prefix}trial`], [1000]),
    onEvent,
  });
}
