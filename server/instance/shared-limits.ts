import { createPasswordThrottle, type PasswordThrottle } from "../access/password-throttle.ts";
import type { Config } from "../config/config.ts";
import { createMemoryRateLimit } from "../limits/memory-rate-limit.ts";
import { type LimitName, type LimitStoreState, type RateLimit, unlimited } from "../limits/port.ts";
import type { Log } from "../log.ts";
import { describeRedisError } from "../redis/connection.ts";
import type { RedisEvent } from "../redis/redis-client.ts";
import { openRedis } from "./open-redis.ts";

/** Rate limits and the password throttle, shared by all processes of one or several servers. */
export interface SharedLimits {
  readonly limits: Readonly<Record<LimitName, RateLimit>>;
  readonly throttle: PasswordThrottle;
  /** The state of the store that several servers share. */
  state(): LimitStoreState;
  close(): void;
}

/** Kept in this process's memory and, if configured, in Redis. */
export async function openSharedLimits(config: Config, log: Log): Promise<SharedLimits> {
  const limits = {
    api: createMemoryRateLimit({ limit: config.apiRequestsPerMinute }),
    hosting: createMemoryRateLimit({ limit: config.hostingRequestsPerMinute }),
    links: createMemoryRateLimit({ limit: config.linkRequestsPerMinute }),
    s3: createMemoryRateLimit({ limit: config.s3RequestsPerMinute }),
    sessions: createMemoryRateLimit({ limit: config.sessionRequestsPerMinute }),
  };
  const throttle = createPasswordThrottle();
  if (config.redis === null) return { limits, throttle, state: () => "connected", close() {} };

  const { prefix } = config.redis;
  const redis = await openRedis(config.redis, (event) => logRedisEvent(log, event));
  const { createRedisRateLimit } = await import("../redis/redis-rate-limit.ts");
  const { createRedisPasswordThrottle } = await import("../redis/redis-password-throttle.ts");
  const shared = (budget: LimitName, limit: number): RateLimit =>
    limit === 0
      ? unlimited
      : createRedisRateLimit({
          redis,
          prefix: `${prefix}${budget}:`,
          limit,
          fallback: limits[budget],
        });
  return {
    limits: {
      api: shared("api", config.apiRequestsPerMinute),
      hosting: shared("hosting", config.hostingRequestsPerMinute),
      links: shared("links", config.linkRequestsPerMinute),
      s3: shared("s3", config.s3RequestsPerMinute),
      sessions: shared("sessions", config.sessionRequestsPerMinute),
    },
    throttle: createRedisPasswordThrottle({
      redis,
      prefix: `${prefix}guesses:`,
      fallback: throttle,
    }),
    state: redis.state,
    close: redis.close,
  };
}

function logRedisEvent(log: Log, event: RedisEvent): void {
  const { address } = event;
  if (event.event === "lost") {
    log.warn(
      `Redis at ${address} cannot be used (${describeRedisError(event.cause)}): each server counts requests and password attempts by itself until it is back`,
    );
  } else if (event.event === "back") {
    log.info(`Redis at ${address} is back: requests and password attempts are counted there again`);
  } else {
    const took = event.tookMs.toFixed(1);
    log.warn(
      `Redis at ${address} takes ${took} ms to reply, but requests wait at most 3 ms, so each server will count most requests by itself`,
    );
  }
}
