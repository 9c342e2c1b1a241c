import { provideCeph } from "./ceph.mjs";
import { provideHeadlessShell } from "./chromium.mjs";
import { provideNginx } from "./nginx.mjs";
import { provideRedis } from "./redis.mjs";

/**
 * Installs or unpacks the foreign programs that tests need, where that is possible. `present` holds
 * the names of those found: tests that need the others are skipped and say so by the same names.
 */
export async function provideTestPrograms() {
  await provideHeadlessShell();
  const found = { ceph: provideCeph(), nginx: provideNginx(), "redis-server": provideRedis() };
  return { present: new Set(Object.keys(found).filter((name) => found[name])) };
}
