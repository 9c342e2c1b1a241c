import type { HttpResponse } from "../../test/http-response.ts";
import { seededBytes } from "../seeded-bytes.ts";
import type { Row, Scale } from "../trial.ts";
import { checkObject, countAnswers, type Race, runRaces } from "./run-races.ts";
import { expectStatus, type S3Client } from "./s3-client.ts";

const CLIENTS = 64;
const SIZE = 20_000;

/** 64 conditional requests at once, of which exactly one may succeed. */
export const raceConditions = (scale: Scale): Promise<Row> =>
  runRaces(
    `${CLIENTS} conditional puts and deletes of one object`,
    [raceToCreate, raceToReplace, raceToReplaceOrDelete],
    scale.tries(40, 1),
    scale.progress,
  );

const contentOf = (client: number): Uint8Array => seededBytes(client + 1, SIZE);

const raceToCreate: Race = (s3, key) =>
  race(s3, key, ["412 PreconditionFailed"], (client) =>
    s3.send("PUT", key, { headers: { "if-none-match": "*" }, body: contentOf(client) }),
  );

const raceToReplace: Race = async (s3, key) => {
  const headers = await matchFirst(s3, key);
  return race(s3, key, ["412 PreconditionFailed"], (client) =>
    s3.send("PUT", key, { headers, body: contentOf(client) }),
  );
};

const raceToReplaceOrDelete: Race = async (s3, key) => {
  const headers = await matchFirst(s3, key);
  return race(s3, key, ["412 PreconditionFailed", "404 NoSuchKey"], (client) =>
    isDelete(client)
      ? s3.send("DELETE", key, { headers })
      : s3.send("PUT", key, { headers, body: contentOf(client) }),
  );
};

const isDelete = (client: number): boolean => client % 2 === 1;

/** Puts an object and returns the header for changes that require it. */
async function matchFirst(s3: S3Client, key: string): Promise<Record<string, string>> {
  const first = expectStatus(await s3.send("PUT", key, { body: contentOf(CLIENTS) }), 200);
  return { "if-match": first.header("etag") ?? "" };
}

/**
 * Checks that one client changes the object, that the others lose with one of these answers, and what is
 * stored. After a deletion the object is absent, so that every other deletion has its 204, too.
 */
async function race(
  s3: S3Client,
  key: string,
  losses: readonly string[],
  act: (client: number) => Promise<HttpResponse>,
): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => act(client)));
  const succeeded = answers.flatMap(({ status }, client) => (status < 300 ? [client] : []));
  const lost = answers.filter((answer) =>
    losses.some((loss) => countAnswers([answer]) === `1 × ${loss}`),
  );
  const isDeletion = (client: number): boolean => answers[client]?.status === 204;
  const [winner] = succeeded;
  const isOneChange = succeeded.length === 1 || succeeded.every(isDeletion);
  if (winner === undefined || !isOneChange || lost.length + succeeded.length !== CLIENTS) {
    return [`The responses were ${countAnswers(answers)}.`];
  }
  return await checkObject(s3, key, isDeletion(winner) ? null : contentOf(winner));
}
