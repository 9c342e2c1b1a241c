import { seededBytes } from "../seeded-bytes.ts";
import type { Row, Scale } from "../trial.ts";
import {
  completeMultipart,
  createMultipart,
  type Parts,
  type UploadRef,
  uploadPart,
} from "./multipart-client.ts";
import { checkObject, countAnswers, type Race, runRaces } from "./run-races.ts";
import { expectStatus, type S3Client } from "./s3-client.ts";

const CLIENTS = 16;
const FIRST = seededBytes(1, 5 * 1024 ** 2);
const LAST = seededBytes(2, 100_000);

/** Sends completes at once: the completes of one upload make one object and get one answer. */
export const raceCompletes = (scale: Scale): Promise<Row> =>
  runRaces(
    `${CLIENTS} completes of one upload or key`,
    [
      completeTogether([FIRST, LAST], [1, 2]),
      completeTogether([FIRST, LAST], [1, 3]),
      completeDifferently,
      completeManyUploads,
    ],
    scale.tries(15, 1),
    scale.progress,
  );

async function begin(
  s3: S3Client,
  key: string,
  parts: readonly Uint8Array[],
  numbers: readonly number[],
): Promise<{ upload: UploadRef; etags: Parts }> {
  const upload = await createMultipart(s3, key);
  const etags = new Map<number, string>();
  for (const [at, number] of numbers.entries()) {
    const part = parts[at] ?? new Uint8Array();
    const answer = expectStatus(await uploadPart(s3, upload, number, part), 200);
    etags.set(number, answer.header("etag") ?? "");
  }
  return { upload, etags };
}

/** All choose the same parts. Parts 1 and 3 are copied, parts 1 and 2 are in place. */
const completeTogether =
  (parts: readonly Uint8Array[], numbers: readonly number[]): Race =>
  async (s3, key) => {
    const { upload, etags } = await begin(s3, key, parts, numbers);
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, () => completeMultipart(s3, upload, etags)),
    );
    answers.push(await completeMultipart(s3, upload, etags));
    const isSame = answers.every(({ status, text }) => status === 200 && text === answers[0]?.text);
    if (!isSame) return [`The responses were ${countAnswers(answers)}.`];
    return await checkObject(s3, key, Buffer.concat(parts));
  };

/** Half choose only the first part. One half succeeds, and the upload is over for the other. */
const completeDifferently: Race = async (s3, key) => {
  const { upload, etags } = await begin(s3, key, [FIRST, LAST], [1, 2]);
  const first: Parts = new Map([...etags].slice(0, 1));
  const choices = Array.from({ length: CLIENTS }, (_, at) => (at % 2 === 0 ? etags : first));
  const answers = await Promise.all(choices.map((parts) => completeMultipart(s3, upload, parts)));
  const statusesOf = (choice: Parts) =>
    countAnswers(answers.filter((_, at) => choices[at] === choice));
  const outcome = [statusesOf(etags), statusesOf(first)];
  const [success, loss] = [`${CLIENTS / 2} × 200`, `${CLIENTS / 2} × 404 NoSuchUpload`];
  if (outcome.toSorted().join() !== [success, loss].toSorted().join()) {
    return [`The responses were ${outcome.join(" and ")}.`];
  }
  const isWhole = outcome[0] === success;
  return await checkObject(s3, key, isWhole ? Buffer.concat([FIRST, LAST]) : FIRST);
};

/** Each completes an upload of its own with `If-None-Match: *`. One succeeds. */
const completeManyUploads: Race = async (s3, key) => {
  const contents = Array.from({ length: CLIENTS }, (_, at) => seededBytes(at + 1, 50_000));
  const uploads = await Promise.all(contents.map((content) => begin(s3, key, [content], [1])));
  const answers = await Promise.all(
    uploads.map(({ upload, etags }) =>
      completeMultipart(s3, upload, etags, { "if-none-match": "*" }),
    ),
  );
  const winners = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []));
  const lost = answers.filter(({ status }) => status === 412).length;
  const content = contents[winners[0] ?? -1];
  if (content === undefined || winners.length > 1 || lost !== CLIENTS - 1) {
    return [`The responses were ${countAnswers(answers)}.`];
  }
  for (const { upload } of uploads)
    await s3.send("DELETE", key, { query: `uploadId=${upload.id}` });
  return await checkObject(s3, key, content);
};
