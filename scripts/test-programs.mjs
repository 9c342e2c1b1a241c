import { provideCeph } from "./ceph.mjs";
import { provideHeadlessShell } from "./chromium.mjs";
import { neededModules } from "./needed-modules.mjs";
import { provideNginx, provideVarnish } from "./proxies.mjs";
import { provideRedis } from "./redis.mjs";
import { isPastOneMachine } from "./test-files.mjs";

/**
 * Provides the programs that test files need, if possible, and no others. `present` has the names of those
 * that exist or are not needed; tests that need others are skipped and report the same names.
 */
export async function provideTestPrograms(files) {
  const modules = neededModules(files);
  if (modules.has("e2e/find-chromium.ts")) await provideHeadlessShell();
  const usesServers = files.some(isPastOneMachine);
  const found = {
    nginx: !modules.has("test/nginx.ts") || provideNginx(),
    varnish: !modules.has("test/varnish.ts") || provideVarnish(),
    ceph: !usesServers || provideCeph(),
    "redis-server": !usesServers || provideRedis(),
  };
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
