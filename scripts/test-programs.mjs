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
  // A test that is not past one machine must not be skipped for want of them.
  const servers = files.some(isPastOneMachine)
    ? { ceph: provideCeph(), "redis-server": provideRedis() }
    : { ceph: true, "redis-server": true };
  const found = { nginx: provideNginx(), ...servers };
  return { present: new Set(Object.keys(found).filter((name) => found[name])) };
}

/** The failures of a run whose tests were skipped for `reasons` that do not hold: see `present`. */
export const wrongSkips = (reasons, present) =>
  [...reasons]
    .filter((reason) => present.has(reason))
    .map((reason) => ({
      title: reason,
      message: "tests were skipped although it is here, or not needed",
    }));
