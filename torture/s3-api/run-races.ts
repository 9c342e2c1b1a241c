import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { findLeftoversAfterStop } from "../leftovers.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { connectS3, expectStatus, readCredentials, type S3Client } from "./s3-client.ts";

export const RACE_BUCKET = "races";

/** Runs one race at a key. Returns what is wrong, one sentence each. */
export type Race = (s3: S3Client, key: string) => Promise<readonly string[]>;

const MAX_PROBLEMS = 10;

/** Runs races in turn on one server. After each one, there must be no leftovers. */
export async function runRaces(
  fault: string,
  races: readonly Race[],
  rounds: number,
  progress: Scale["progress"],
): Promise<Row> {
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  const problems: string[] = [];
  const leftovers: string[] = [];
  let tries = 0;
  try {
    const s3 = connectS3(server, await readCredentials(server));
    expectStatus(await s3.send("PUT", RACE_BUCKET), 200);
    for (let round = 0; round < rounds && problems.length < MAX_PROBLEMS; round += 1) {
      for (const [kind, race] of races.entries()) {
        const found = await race(s3, `${RACE_BUCKET}/${kind}/${round}/object`);
        problems.push(...found.map((problem) => `Race ${kind}, round ${round}: ${problem}`));
        leftovers.push(...(await waitForNoLeftovers(server.dataPath)));
        tries += 1;
      }
      if ((round + 1) % 10 === 0) progress(`${fault}: ${round + 1} of ${rounds} rounds`);
    }
    await server.stop();
    leftovers.push(...findLeftoversAfterStop(server.dataPath));
  } finally {
    await server.kill();
    removeFolder(folder);
  }
  return {
    fault,
    tries,
    lost: 0,
    leftovers: leftovers.length,
    problems: [...problems, ...leftovers].slice(0, 2 * MAX_PROBLEMS),
  };
}

/** The problem of an object that has not these bytes; null: the object must be absent. */
export async function checkObject(
  s3: S3Client,
  key: string,
  bytes: Uint8Array | null,
): Promise<string[]> {
  const answer = await s3.send("GET", key);
  if (bytes === null) return answer.status === 404 ? [] : [`The object exists: ${answer.status}.`];
  const isWhole = answer.status === 200 && Buffer.from(answer.bytes).equals(Buffer.from(bytes));
  return isWhole ? [] : [`The object is not the winner's: ${answer.status}.`];
}

/** How often each status and error code occurs. */
export function countAnswers(answers: readonly HttpResponse[]): string {
  const counts = new Map<string, number>();
  for (const { status, text } of answers) {
    const kind = `${status} ${/<Code>(\w+)</.exec(text)?.[1] ?? ""}`.trim();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} × ${kind}`).join(", ");
}
