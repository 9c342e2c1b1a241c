import { join } from "node:path";
import { api, send } from "../test/client.ts";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { field, filePart } from "../test/multipart.ts";
import { leftoversInTheEnd } from "./check.ts";
import { leftoversAfterStop } from "./leftovers.ts";
import { startVictim, type Victim } from "./server.ts";
import type { Row, Scale, Trial } from "./trial.ts";

const RUNNERS = 32;

/** Many uploads of one name at once: one is stored, the others are told so and leave nothing. */
export const races: Trial = { name: "races", run };

/** How the folder comes to be known; each lets the server see the conflict at another moment. */
const COURSES = ["before the bytes", "after the bytes", "and made by the race"] as const;

async function run(scale: Scale): Promise<Row[]> {
  const rounds = scale.tries(500, 20);
  const folder = temporaryFolder();
  const server = await startVictim(join(folder, "data"));
  const row = { fault: `${RUNNERS} uploads of one name`, tries: 0, lost: 0, leftovers: 0 };
  const problems: string[] = [];
  try {
    await api(server).folder("there");
    for (let round = 0; round < rounds && problems.length < 10; round += 1) {
      const { problem, isLost } = await race(server, round);
      row.tries += 1;
      if (isLost) row.lost += 1;
      if (problem !== undefined) problems.push(`Round ${round}: ${problem}`);
      const left = await leftoversInTheEnd(server.dataPath);
      row.leftovers += left.length;
      problems.push(...left);
      if ((round + 1) % 100 === 0) scale.progress(`${round + 1} of ${rounds}`);
    }
    await server.stop();
    const left = leftoversAfterStop(server.dataPath);
    row.leftovers += left.length;
    problems.push(...left);
  } finally {
    await server.kill();
    removeFolder(folder);
  }
  return [{ ...row, problems }];
}

async function race(server: Victim, round: number): Promise<{ problem?: string; isLost: boolean }> {
  const course = COURSES[round % COURSES.length];
  const path = course === "and made by the race" ? `made/${round}` : "there";
  const name = `wanted ${round}`;
  const contents = Array.from({ length: RUNNERS }, (_, runner) =>
    `${runner} `.repeat(1 + ((round * 7919) % 20_000)),
  );
  const answers = await Promise.all(
    contents.map((content) => {
      const file = filePart(name, content);
      const where = field("folder", path);
      return api(server).upload(course === "after the bytes" ? [file, where] : [where, file]);
    }),
  );
  const winners = answers.flatMap(({ status }, runner) => (status === 200 ? [runner] : []));
  const conflicts = answers.filter(({ status }) => status === 409).length;
  const [winner] = winners;
  if (winner === undefined || winners.length > 1 || conflicts !== RUNNERS - 1) {
    const statuses = answers.map(({ status }) => status).join();
    return { problem: `The folder known ${course}, the answers were ${statuses}.`, isLost: false };
  }
  const stored = await send(server, "GET", `/api/hosting/${path}/${encodeURIComponent(name)}`);
  if (stored.text === contents[winner]) return { isLost: false };
  return { problem: `The winner's bytes came as ${stored.status}, changed.`, isLost: true };
}
