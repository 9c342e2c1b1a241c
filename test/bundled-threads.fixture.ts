import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serverThreads } from "../scripts/server-threads.ts";

/*
 * `npm test` loads this before each test file. A catalog that a test opens starts a thread, which loads
 * its modules again: from the bundle, that takes less than half the processor time.
 */

const program = process.env.HOLDALL_TEST_PROGRAM;
const sources = resolve(import.meta.dir, "..");

/** The same thread in the bundle; the URL itself if it is not one of the server's threads. */
function bundled(url: string | URL, bundle: string): string | URL {
  const path = String(url).startsWith("file:") ? fileURLToPath(url) : String(url);
  const thread = serverThreads.find((each) => join(sources, each) === path);
  return thread === undefined ? url : join(bundle, thread);
}

if (program !== undefined) {
  const bundle = dirname(dirname(program));
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(bundled(url, bundle), options);
    }
  };
}
