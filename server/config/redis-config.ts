import type { RedisSettings } from "../redis/redis-settings.ts";
import { isEncoded } from "./is-encoded.ts";
import type { Reading } from "./s3-config.ts";

const USUAL_PREFIX = "holdall:";

/** The variables of Redis; null: nothing is shared by it. */
export function readRedis({
  value,
  wrong,
}: Pick<Reading, "value" | "wrong">): RedisSettings | null {
  const prefix = value("REDIS_PREFIX") ?? USUAL_PREFIX;
  if (!/^[\x21-\x7e]{1,64}$/.test(prefix)) {
    wrong("REDIS_PREFIX", "1 to 64 characters of printable ASCII without spaces");
  }
  const text = value("REDIS_URL");
  if (text === undefined) return null;
  const url = URL.parse(text);
  const isAddress = url !== null && url.hostname !== "" && isEncoded(text);
  const isRedis = isAddress && /^rediss?:$/.test(url.protocol);
  if (isRedis && /^\/?\d{0,5}$/.test(url.pathname) && url.search === "" && url.hash === "") {
    return { url: url.href, prefix };
  }
  // It may hold a password, so it is not shown.
  wrong(
    "REDIS_URL",
    "the address of a Redis such as redis://:password@host:6379 or rediss://user:password@host:6380/1, with %40 for @, %2F for /, %23 for # and %25 for % in the password",
    url === null ? "…" : `${url.protocol}…`,
  );
  return null;
}
