import { join } from "node:path";
import { api, send } from "../test/client.ts";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { field, filePart } from "../test/multipart.ts";
import { waitForNoLeftovers } from "./check-server.ts";
import { findLeftoversAfterStop } from "./leftovers.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { Row, Scale, Trial } from "./trial.ts";

const CLIENTS = 32;

/** Concurrent uploads of one name: one is stored, the others get 409 and leave nothing. */
export const races: Trial = { name: "races", run };

/** When the server learns the folder, which determines when it detects the conflict. */
const FOLDER_ORDERS = ["before the files", "after the files", "created by the race"] as const;

async function run(scale: Scale): Promise<Row[]> {
  const rounds = scale.tries(500, 20);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  const row = { fault: `${CLIENTS} uploads of one name`, tries: 0, lost: 0, leftovers: 0 };
  const problems: string[] = [];
  try {
    await api(server).folder("there");
    for (let round = 0; round < rounds && problems.length < 10; round += 1) {
      const { problem, isLost } = await race(server, round);
      row.tries += 1;
      if (isLost) row.lost += 1;
      if (problem !== undefined) problems.push(`Round ${round}: ${problem}`);
      const left = await waitForNoLeftovers(server.dataPath);
      row.leftovers += left.length;
      problems.push(...left);
      if ((round + 1) % 100 === 0) scale.progress(`${round + 1} of ${rounds}`);
    }
    await server.stop();
    const left = findLeftoversAfterStop(server.dataPath);
    row.leftovers += left.length;
    problems.push(...left);
  } finally {
    await server.kill();
    removeFolder(folder);
  }
  return [{ ...row, problems }];
}

async function race(
  server: ServerProcess,
  round: number,
): Promise<{ problem?: string; isLost: boolean }> {
  const order = FOLDER_ORDERS[round % FOLDER_ORDERS.length];
  const path = order === "created by the race" ? `made/${round}` : "there";
  const name = `wanted ${round}`;
  const contents = Array.from({ length: CLIENTS }, (_, client) =>
    `${client} `.repeat(1 + ((round * 7919) % 20_000)),
  );
  const answers = await Promise.all(
    contents.map((content) => {
      const file = filePart(name, content);
      const where = field("folder", path);
      return api(server).upload(order === "after the files" ? [file, where] : [where, file]);
    }),
  );
  const winners = answers.flatMap(({ status }, client) => (status === 200 ? [client] : []));
  const conflicts = answers.filter(({ status }) => status === 409).length;
  const [winner] = winners;
  if (winner === undefined || winners.length > 1 || conflicts !== CLIENTS - 1) {
    const statuses = answers.map(({ status }) => status).join();
    return { problem: `Folder ${order}: the responses were ${statuses}.`, isLost: false };
  }
  const stored = await send(server, "GET", `/api/hosting/${path}/${encodeURIComponent(name)}`);
  if (stored.text === contents[winner]) return { isLost: false };
  return {
    problem: `The winner's file was delivered with status ${stored.status} and wrong bytes.`,
    isLost: true,
  };
}
