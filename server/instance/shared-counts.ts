import type { Budget } from "../../contract/operation.ts";
import { createThrottle, type Throttle } from "../access/throttle.ts";
import type { Config } from "../config/config.ts";
import { createMemoryLimit } from "../limits/memory.ts";
import { type CountsState, type RateLimit, unlimited } from "../limits/port.ts";
import type { Log } from "../log.ts";
import type { LinkEvent } from "../redis/link.ts";
import { reasonOf } from "../redis/reason-of.ts";
import { openRedis } from "./open-redis.ts";

/** What is counted of clients, in one place for all processes of a server, or of several servers. */
export interface SharedCounts {
  readonly limits: Readonly<Record<Budget, RateLimit>>;
  readonly throttle: Throttle;
  /** How it stands with what several servers count in together. */
  state(): CountsState;
  close(): void;
}

/** As the configuration says: in this process's memory, and in Redis where there is one. */
export async function openCounts(config: Config, log: Log): Promise<SharedCounts> {
  const limits = {
    api: createMemoryLimit({ limit: config.apiRequestsPerMinute }),
    hosting: createMemoryLimit({ limit: config.hostingRequestsPerMinute }),
  };
  const throttle = createThrottle();
  if (config.redis === null) return { limits, throttle, state: () => "present", close() {} };

  const { prefix } = config.redis;
  const link = await openRedis(config.redis, (event) => tell(log, event));
  const { createRedisLimit } = await import("../redis/limit.ts");
  const { createRedisThrottle } = await import("../redis/throttle.ts");
  const shared = (budget: Budget, limit: number): RateLimit =>
    limit === 0
      ? unlimited
      : createRedisLimit({ link, prefix: `${prefix}${budget}:`, limit, own: limits[budget] });
  return {
    limits: {
      api: shared("api", config.apiRequestsPerMinute),
      hosting: shared("hosting", config.hostingRequestsPerMinute),
    },
    throttle: createRedisThrottle({ link, prefix: `${prefix}guesses:`, own: throttle }),
    state: link.state,
    close: link.close,
  };
}

function tell(log: Log, event: LinkEvent): void {
  const { place } = event;
  if (event.event === "lost") {
    log.warn(
      `Redis at ${place} cannot be used (${reasonOf(event.cause)}): each server counts requests and guesses at passwords by itself until it is back`,
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
