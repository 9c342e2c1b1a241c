import { join } from "node:path";
import { freePort } from "../../test/free-port.fixture.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { pickOne, randomInt } from "../random.ts";
import { requireTool } from "../require-tool.ts";
import { API_KEY, type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { startChurn } from "./tree-churn.ts";
import { compareWithTree, startFollower } from "./tree-follower.ts";

const FOLLOWERS = 3;
type CallLimit = readonly [call: string, max: number];

/** The calls of the catalog's writer and of the blobs, and up to which one of a thread kills it. */
const CALLS: readonly [CallLimit, ...CallLimit[]] = [
  ["pwrite64", 60],
  ["fdatasync", 12],
  ["fsync", 10],
  ["write", 20],
  ["openat", 10],
];
const HIT_MS = 1500;
/** The trees are compared after this many kills. */
const COMPARE_EVERY = 10;

/** kill -9 of a server at any system call, while clients change the tree and others follow the feed. */
export async function killWriters(scale: Scale): Promise<Row> {
  requireTool("strace");
  const kills = scale.tries(300, 5);
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  const port = await freePort();
  const start = (): Promise<ServerProcess> =>
    startServer(dataPath, { env: { PORT: String(port) } });
  let server = await start();
  const servers = [{ url: `http://127.0.0.1:${port}`, apiKey: API_KEY }];
  const problems: string[] = [];
  let [changes, atCalls] = [0, 0];
  try {
    const followers = await Promise.all(
      Array.from({ length: FOLLOWERS }, () => startFollower(servers)),
    );
    const content = followers[0]?.content ?? (() => ({ files: [], folders: [] }));
    for (let kill = 1; kill <= kills && problems.length === 0; kill += 1) {
      const churn = startChurn(servers, content);
      const [call, max] = pickOne(CALLS);
      const nth = randomInt(1, max);
      const inject = `inject=${call}:signal=KILL:when=${nth}`;
      const trace = await attachTracer(server.pid, ["-e", `trace=${call}`, "-e", inject]);
      const wasHit = await Promise.race([
        server.exited.then(() => true),
        Bun.sleep(HIT_MS).then(() => false),
      ]);
      await server.kill();
      await trace.detach();
      await churn.end();
      changes += churn.count;
      if (wasHit) atCalls += 1;
      server = await start();
      if (kill % COMPARE_EVERY !== 0 && kill !== kills) continue;
      for (const problem of await compareWithTree(followers, server)) {
        problems.push(`After kill ${kill} (${call}, number ${nth}): ${problem}`);
      }
      if (kill % 50 === 0) scale.progress(`${kill} kills`);
    }
    const entries = followers[0]?.cursors.length ?? 0;
    await Promise.all(followers.map((each) => each.end()));
    return {
      fault: `kill -9 of a server while ${FOLLOWERS} clients rebuild the tree from the feed`,
      tries: kills,
      lost: 0,
      leftovers: 0,
      problems,
      note: `${atCalls} at a system call; ${changes} acknowledged requests, ${entries} changes followed`,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}
