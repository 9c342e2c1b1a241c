import type { LinkEvent, RedisLink } from "../redis/link.ts";
import type { RedisSettings } from "../redis/redis-settings.ts";

/** The link to Redis, with the means to count in it. It is there whether Redis is or not. */
export async function openRedis(
  settings: RedisSettings,
  onEvent: (event: LinkEvent) => void,
): Promise<RedisLink> {
  // Whoever has no use for it should not pay for it.
  const { openLink } = await import("../redis/link.ts");
  const { COUNT } = await import("../redis/limit.ts");
  const { ATTEMPT } = await import("../redis/throttle.ts");
  const { call } = await import("../redis/script.ts");
  return openLink({
    ...settings,
    scripts: [COUNT, ATTEMPT],
    trial: call(COUNT, [`${settings.prefix}trial`], [1000]),
    onEvent,
  });
}
