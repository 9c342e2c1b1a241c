import { api, send } from "../../test/client.ts";
import { field, filePart } from "../../test/multipart.ts";
import type { Row, Scale } from "../trial.ts";
import { startCluster } from "./cluster.fixture.ts";
import type { Instance } from "./instance.ts";
import { findSharedLeftovers, waitForNoSharedLeftovers } from "./shared-leftovers.ts";

const CLIENTS = 64;
/** Time limit for servers to remove discarded blobs, on a busy machine. */
const CLEANUP_TIMEOUT_MS = 10_000;

/** When the servers learn the folder, which determines when they detect the conflict. */
const FOLDER_ORDERS = ["before the files", "after the files", "created by the race"] as const;

/**
 * Many clients upload one name to three servers: one file is stored, and all servers deliver it.
 */
export async function nameRaces(scale: Scale): Promise<Row> {
  const rounds = scale.tries(200, 6);
  const cluster = await startCluster();
  const { instances } = cluster;
  const problems: string[] = [];
  let [tries, lost] = [0, 0];
  try {
    const [first] = instances;
    if (first !== undefined) await api(first).folder("there");
    for (let round = 0; round < rounds && problems.length < 10; round += 1) {
      const outcome = await race(instances, round);
      tries += 1;
      if (outcome.isLost) lost += 1;
      if (outcome.problem !== undefined) problems.push(`Round ${round}: ${outcome.problem}`);
      if ((round + 1) % 50 === 0) scale.progress(`${round + 1} races`);
    }
    const left = await waitForNoSharedLeftovers(cluster, instances.length, CLEANUP_TIMEOUT_MS);
    await Promise.all(instances.map((instance) => instance.stop()));
    left.push(...(await findSharedLeftovers(cluster, 0)));
    return {
      fault: `${CLIENTS} uploads of one name to three servers`,
      tries,
      lost,
      leftovers: left.length,
      problems: [...problems, ...left].slice(0, 20),
    };
  } finally {
    await cluster.dispose();
  }
}

async function race(
  instances: readonly Instance[],
  round: number,
): Promise<{ problem?: string; isLost: boolean }> {
  const order = FOLDER_ORDERS[round % FOLDER_ORDERS.length];
  const path = order === "created by the race" ? `made/${round}` : "there";
  const name = `wanted ${round}`;
  const clients = Array.from({ length: CLIENTS }, (_, client) => ({
    content: `${client} `.repeat(1 + ((round * 7919) % 20_000)),
    at: instances[client % instances.length],
  }));
  const statuses = await Promise.all(
    clients.map(async ({ content, at }) => {
      if (at === undefined) throw new Error("There are no instances.");
      const file = filePart(name, content);
      const where = field("folder", path);
      const parts = order === "after the files" ? [file, where] : [where, file];
      return (await api(at).upload(parts)).status;
    }),
  );
  const winners = clients.filter((_, client) => statuses[client] === 200);
  const conflicts = statuses.filter((status) => status === 409).length;
  const [winner] = winners;
  if (winner === undefined || winners.length > 1 || conflicts !== CLIENTS - 1) {
    const problem = `Folder ${order}: the responses were ${statuses.join()}.`;
    return { problem, isLost: false };
  }
  for (const instance of instances) {
    const stored = await send(instance, "GET", `/api/hosting/${path}/${encodeURIComponent(name)}`);
    if (stored.text === winner.content) continue;
    const problem = `${instance.name} delivered the winner's file with status ${stored.status} and wrong bytes.`;
    return { problem, isLost: true };
  }
  return { isLost: false };
}
