import { provideCeph } from "./ceph.mjs";
import { provideHeadlessShell } from "./chromium.mjs";
import { provideNginx } from "./nginx.mjs";
import { provideRedis } from "./redis.mjs";

/**
 * Provides the programs that tests need, if possible. `present` has the names of those that exist;
 * tests that need others are skipped and report the same names.
 */
export async function provideTestPrograms() {
  await provideHeadlessShell();
  const found = { ceph: provideCeph(), nginx: provideNginx(), "redis-server": provideRedis() };
  return { present: new Set(Object.keys(found).filter((name) => found[name])) };
}
