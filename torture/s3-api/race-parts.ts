import { createHash } from "node:crypto";
import { seededBytes } from "../seeded-bytes.ts";
import type { Row, Scale } from "../trial.ts";
import { completeMultipart, createMultipart, listParts, uploadPart } from "./multipart-client.ts";
import { checkObject, countAnswers, type Race, runRaces } from "./run-races.ts";
import { expectStatus } from "./s3-client.ts";

const CLIENTS = 16;
const SIZE = 150_000;

/** Parts of one number at once, also during the Complete: the object has the bytes of the chosen ETag. */
export const raceParts = (scale: Scale): Promise<Row> =>
  runRaces(
    `${CLIENTS} parts of one number, with a complete`,
    [raceNumber, raceWithComplete],
    scale.tries(40, 1),
    scale.progress,
  );

const contents = Array.from({ length: CLIENTS }, (_, client) => seededBytes(client + 1, SIZE));
const byEtag = new Map(
  contents.map((content) => [`"${createHash("md5").update(content).digest("hex")}"`, content]),
);

const raceNumber: Race = async (s3, key) => {
  const upload = await createMultipart(s3, key);
  const answers = await Promise.all(contents.map((content) => uploadPart(s3, upload, 1, content)));
  if (answers.some(({ status }) => status !== 200)) return [countAnswers(answers)];
  const parts = await listParts(s3, upload);
  const content = byEtag.get(parts?.get(1) ?? "");
  if (parts?.size !== 1 || content === undefined) return ["The list has not one of the parts."];
  expectStatus(await completeMultipart(s3, upload, parts), 200);
  return await checkObject(s3, key, content);
};

/** The Complete either comes in time, or the part that it has chosen was replaced. */
const raceWithComplete: Race = async (s3, key) => {
  const upload = await createMultipart(s3, key);
  const [first = new Uint8Array(), ...others] = contents;
  const stored = expectStatus(await uploadPart(s3, upload, 1, first), 200);
  const chosen = new Map([[1, stored.header("etag") ?? ""]]);
  const replacing = others.map((content) => uploadPart(s3, upload, 1, content));
  const completed = await completeMultipart(s3, upload, chosen);
  const answers = await Promise.all(replacing);
  const isExpected = answers.every(({ status, text }) =>
    status === 404 ? text.includes("NoSuchUpload") : status === 200,
  );
  if (!isExpected) return [`The parts got ${countAnswers(answers)}.`];
  if (completed.status === 200) return await checkObject(s3, key, first);
  if (!completed.text.includes("InvalidPart")) return [`The Complete got ${completed.text}`];
  const parts = (await listParts(s3, upload)) ?? new Map<number, string>();
  expectStatus(await completeMultipart(s3, upload, parts), 200);
  return await checkObject(s3, key, byEtag.get(parts.get(1) ?? "") ?? null);
};
