import { expect } from "bun:test";
import { api } from "./client.ts";
import { run, type TestServer } from "./harness.ts";
import { quotaRequests } from "./quotas.fixture.ts";

/* Work at the edge of a quota while servers are killed. */

/** Set to 300 for a long run. */
export const KILLS = Number(process.env.HOLDALL_TEST_KILLS ?? 6);
export const KILLS_MS = 600_000 + KILLS * 5000;

export const FOLDER = "edge";
export const SIZE = 1000;
/** Room for some files; they are deleted again, so that the edge is met all the time. */
export const MAX_BYTES = 20 * SIZE + SIZE / 2;
export const EDGE_SETTINGS = { KEEP_VERSIONS: "true", RATE_LIMIT_API: "0" };

const random = (max: number): number => Math.floor(Math.random() * max);

/** Uploads to all servers at the edge of a quota, with deletions, replacements and undone deletions, while they are killed. */
export async function workWhile(
  servers: readonly TestServer[],
  kills: () => Promise<void>,
): Promise<{ stored: number; refused: number }> {
  let isOver = false;
  const counts = { stored: 0, refused: 0 };
  const client = async (number: number): Promise<void> => {
    for (let step = 0; !isOver; step += 1) {
      const server = servers[random(servers.length)];
      if (server === undefined) return;
      const a = api(server);
      const key = `${FOLDER}/${step % 3}/${number}-${step % 40}`;
      const query = `key=${encodeURIComponent(key)}&onConflict=replace`;
      try {
        const answer = await a.json("PUT", `/api/files/content?${query}`, "x".repeat(SIZE));
        if (answer.status < 300) counts.stored += 1;
        else if (answer.status === 507) {
          counts.refused += 1;
          const [first] = (await a.browse(`${FOLDER}/${random(3)}`)).files;
          if (first === undefined) continue;
          const body = { id: first.id, trash: step % 2 === 0 };
          const deleted = await a.json("DELETE", "/api/files", body);
          const { undoId } = JSON.parse(deleted.text).data ?? {};
          if (undoId !== undefined) {
            const way = step % 4 === 0 ? "POST" : "DELETE";
            await a.json(way, way === "POST" ? "/api/trash/restore" : "/api/trash", { undoId });
          }
        }
      } catch {
        // The server was killed.
        await Bun.sleep(20);
      }
    }
  };
  const clients = Array.from({ length: 12 }, (_, number) => client(number));
  try {
    await kills();
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  return counts;
}

/** The limit holds at every moment, and a recount finds nothing wrong. */
export async function expectRightQuota(server: TestServer): Promise<void> {
  const [bytes, files] = await quotaRequests(server).used(FOLDER);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(bytes).toBe(files * SIZE);
  const verified = await run(["verify", "--quick", "--json"], server.env);
  const quotas = verified.stdout.split("\n").filter((line) => line.includes('"quota"'));
  expect(quotas).toEqual([]);
}

/** Kills one of them again and again. */
export async function killAgain(servers: readonly TestServer[]): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await Bun.sleep(200 + random(500));
    const server = servers[random(servers.length)];
    await server?.kill();
    await server?.restart();
    if (server === undefined) continue;
    const [bytes] = await quotaRequests(server).used(FOLDER);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  }
}
