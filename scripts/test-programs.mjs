import { provideCeph } from "./ceph.mjs";
import { provideHeadlessShell } from "./chromium.mjs";
import { provideNginx } from "./nginx.mjs";
import { provideRedis } from "./redis.mjs";
import { isPastOneMachine } from "./test-files.mjs";

/**
 * Provides the programs that test files need, if possible. `present` has the names of those that exist;
 * tests that need others are skipped and report the same names.
 */
export async function provideTestPrograms(files) {
  await provideHeadlessShell();
  const servers = files.some(isPastOneMachine)
    ? { ceph: provideCeph(), "redis-server": provideRedis() }
    : {};
  const found = { nginx: provideNginx(), ...servers };
  return { present: new Set(Object.keys(found).filter((name) => found[name])) };
}
