import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Holdall } from "../sdk/src/holdall.ts";
import { type FaultName, startFaultProxy } from "./fault-proxy.ts";
import { removeFolder, startServer, temporaryFolder } from "./harness.ts";

const server = await startServer();
const local = temporaryFolder();
afterAll(async () => {
  removeFolder(local);
  await server.discard();
});

const FILES = 10_000;
const FOLDERS = 500;
const MEGABYTE = 1024 * 1024;

test("10,000 files in 500 folders appear at once over 50 interrupted connections, in little memory", async () => {
  const tree = join(local, "tree");
  for (let at = 0; at < FOLDERS; at += 1) mkdirSync(join(tree, `d${at}`), { recursive: true });
  for (let at = 0; at < FILES; at += 1) {
    writeFileSync(join(tree, `d${at % FOLDERS}/f${at}.txt`), `content of ${at}`);
  }
  const holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  const kinds: FaultName[] = ["cut request", "reset before", "reset after", "500 after"];
  let requests = 0;
  let faults = 0;
  const proxy = await startFaultProxy(server.url, () => {
    requests += 1;
    if (requests % 11 !== 0 || faults >= 50) return undefined;
    faults += 1;
    return kinds[faults % kinds.length];
  });
  const program = process.env.HOLDALL_TEST_PROGRAM ?? "server/main.ts";
  const child = Bun.spawn([process.execPath, program, "put", tree, "--to", "large"], {
    cwd: join(import.meta.dir, ".."),
    env: {
      ...process.env,
      HOLDALL_URL: proxy.url,
      HOLDALL_KEY: server.apiKey,
      XDG_STATE_HOME: join(local, "state"),
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  let peak = 0;
  let early = 0;
  while (child.exitCode === null) {
    peak = Math.max(peak, peakMemory(child.pid));
    const { folders, files } = await holdall.folders.root();
    // The commit may come between the two.
    if (requests < FOLDERS) early += folders.length + files.length;
    await Bun.sleep(50);
  }
  await proxy.close();
  expect([child.exitCode, await new Response(child.stderr).text()]).toEqual([0, ""]);
  expect(faults).toBe(50);
  expect(early).toBe(0);
  expect(await holdall.folders.size({ key: "large" })).toMatchObject({
    files: FILES,
    folders: FOLDERS,
  });
  const one = await holdall.files.getByKey("large/d499/f9999.txt");
  expect(await (await holdall.files.download(one.id)).response.text()).toBe("content of 9999");
  // The runtime alone takes about 80 MB.
  expect(peak).toBeLessThan(250 * MEGABYTE);
});

/** The largest resident set of a process, in bytes; 0: unknown, or the process has ended. */
function peakMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
