import { afterAll, afterEach } from "bun:test";
import type { Environment } from "../test/harness.ts";
import { closeVisits } from "./browser.ts";
import { createBrowserFixture } from "./browser-fixture.ts";
import { createLocalFiles } from "./upload-panel.ts";

/** A server without a limit of requests and local files, for all upload tests of a file. Closes its pages after each. */
export async function startUploadFixture(env: Environment = {}) {
  const local = createLocalFiles();
  const fixture = await createBrowserFixture({ RATE_LIMIT_API: "100000", ...env });
  afterEach(closeVisits);
  afterAll(async () => {
    await fixture.discard();
    local.remove();
  });
  return { fixture, local };
}
