import type { Budget } from "../../contract/operation.ts";
import { createPasswordThrottle, type PasswordThrottle } from "../access/password-throttle.ts";
import type { Config } from "../config/config.ts";
import { createMemoryRateLimit } from "../limits/memory-rate-limit.ts";
import { type LimitStoreState, type RateLimit, unlimited } from "../limits/port.ts";
import type { Log } from "../log.ts";
import { describeRedisError } from "../redis/describe-redis-error.ts";
import type { RedisEvent } from "../redis/redis-client.ts";
import { openRedis } from "./open-redis.ts";

/** What is counted of clients, in one place for all processes of a server, or of several servers. */
export interface SharedLimits {
  readonly limits: Readonly<Record<Budget, RateLimit>>;
  readonly throttle: PasswordThrottle;
  /** How it stands with what several servers count in together. */
  state(): LimitStoreState;
  close(): void;
}

/** As the configuration says: in this process's memory, and in Redis where there is one. */
export async function openSharedLimits(config: Config, log: Log): Promise<SharedLimits> {
  const limits = {
    api: createMemoryRateLimit({ limit: config.apiRequestsPerMinute }),
    hosting: createMemoryRateLimit({ limit: config.hostingRequestsPerMinute }),
  };
  const throttle = createPasswordThrottle();
  if (config.redis === null) return { limits, throttle, state: () => "present", close() {} };

  const { prefix } = config.redis;
  const link = await openRedis(config.redis, (event) => tell(log, event));
  const { createRedisRateLimit } = await import("../redis/redis-rate-limit.ts");
  const { createRedisPasswordThrottle } = await import("../redis/redis-password-throttle.ts");
  const shared = (budget: Budget, limit: number): RateLimit =>
    limit === 0
      ? unlimited
      : createRedisRateLimit({ link, prefix: `${prefix}${budget}:`, limit, own: limits[budget] });
  return {
    limits: {
      api: shared("api", config.apiRequestsPerMinute),
      hosting: shared("hosting", config.hostingRequestsPerMinute),
    },
    throttle: createRedisPasswordThrottle({ link, prefix: `${prefix}guesses:`, own: throttle }),
    state: link.state,
    close: link.close,
  };
}

function tell(log: Log, event: RedisEvent): void {
  const { place } = event;
  if (event.event === "lost") {
    log.warn(
      `Redis at ${place} cannot be used (${describeRedisError(event.cause)}): each server counts requests and guesses at passwords by itself until it is back`,
    );
  } else if (event.event === "back") {
    log.info(`Redis at ${place} is back: requests and guesses are counted there again`);
  } else {
    const took = event.took.toFixed(1);
    log.warn(
      `Redis at ${place} takes ${took} ms to answer, and a request waits 3 ms for it: most will be counted by each server itself`,
    );
  }
}
