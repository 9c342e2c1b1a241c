import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";

/*
 * Resource exhaustion, each case in its own process. The limits need no privileges; a full volume needs
 * a mount, in a namespace that ends with the process.
 */

const fixture = join(import.meta.dir, "disk.fixture.ts");
const growingFixture = join(import.meta.dir, "growing.fixture.ts");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-shortage-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(
  wrap: readonly string[],
  args: readonly string[],
  script = fixture,
): Promise<unknown> {
  const child = Bun.spawn([...wrap, process.execPath, script, ...args], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return out === "" ? `exit ${await child.exited}: ${errors}` : JSON.parse(out);
}

const shell = (setup: string): string[] => ["sh", "-c", `${setup} && exec "$@"`, "sh"];
/** As root directly, otherwise as root of a user namespace if the system allows it. */
const inNamespace =
  process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "--user", "--map-root-user", "-m"];
const mountTmpfs = (path: string): string[] => [
  ...inNamespace,
  ...shell(`mount -t tmpfs -o size=1m none '${path}'`),
];

/** A growing blob keeps its last checkpoint. */
const KEPT = { fault: "no_space", grew: true, isWhole: true, after: "stored" };

describe("resource exhaustion", () => {
  test("the file size limit gives no_space, leaves no blob and still accepts small blobs", async () => {
    const limited = shell("trap '' XFSZ && ulimit -f 512");
    expect(await run(limited, [join(folder, "limit"), "space"])).toEqual({
      fault: "no_space",
      left: 0,
      after: "stored",
    });
  });

  test("the file size limit keeps the last checkpoint of a growing blob", async () => {
    const limited = shell("trap '' XFSZ && ulimit -f 512");
    expect(await run(limited, [join(folder, "growing")], growingFixture)).toEqual(KEPT);
  });

  test("a lack of file descriptors gives unavailable, leaves no blob and recovers", async () => {
    const limited = shell("ulimit -n 64");
    expect(await run(limited, [join(folder, "descriptors"), "descriptors"])).toEqual({
      fault: "unavailable",
      left: 0,
      after: "stored",
    });
  });

  const mayMount =
    Bun.spawnSync([...mountTmpfs(tmpdir()), "true"], { stdout: "ignore", stderr: "ignore" })
      .exitCode === 0;
  test.skipIf(isMissing("permission to mount", mayMount))(
    "a full volume gives no_space, leaves no blob and recovers",
    async () => {
      expect(await run(mountTmpfs(folder), [join(folder, "volume"), "space"])).toEqual({
        fault: "no_space",
        left: 0,
        after: "stored",
      });
    },
  );

  test.skipIf(isMissing("permission to mount", mayMount))(
    "a full volume keeps the last checkpoint of a growing blob",
    async () => {
      expect(await run(mountTmpfs(folder), [join(folder, "volume")], growingFixture)).toEqual(KEPT);
    },
  );
});
