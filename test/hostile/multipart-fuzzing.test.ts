import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api } from "../client.ts";
import { eventually } from "../expectations.ts";
import { startServer, type TestServer } from "../harness.ts";
import { blobsOf, expectUnchanged } from "../snapshot.ts";
import { fuzzMultipartParser } from "./fuzz-multipart-parser.ts";
import { multipartCves } from "./multipart-cves.ts";
import { mutatedForm } from "./mutated-form.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { abortUpload, uploadForm } from "./upload-form.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.discard());

test("the parser reads or rejects 10,000 fuzzed forms, with the same result in any chunks", async () => {
  const count = { read: 0, rejected: 0, broken: 0 };
  for (let seed = 0; seed < 10_000; seed += 1) {
    const { outcome, problem } = await fuzzMultipartParser(seed);
    if (problem !== "") throw new Error(`Seed ${seed}: ${problem}`);
    count[outcome] += 1;
  }
  // The mutations must reach both outcomes.
  expect(Math.min(count.read, count.rejected)).toBeGreaterThan(500);
});

test("500 fuzzed uploads are stored or rejected with 4xx, and rejected ones leave no blobs", async () => {
  let stored = 0;
  for (let seed = 0; seed < 500; seed += 1) {
    const answer = await uploadForm(server, mutatedForm(createSeededRandom(seed)));
    if (answer.status === 200) stored += JSON.parse(answer.text).data.files.length;
    else
      expect({ seed, isRejected: [400, 409, 413].includes(answer.status) }).toEqual({
        seed,
        isRejected: true,
      });
  }
  const files = await api(server).list();
  expect(files.length).toBeLessThanOrEqual(stored);
  await eventually(
    "rejected uploads left no blobs",
    () => blobsOf(server.dataPath).length === files.length,
  );
  expect(server.output()).not.toContain("Unexpected server error");
});

describe("known attacks on other parsers are rejected and store nothing", () => {
  test.each(multipartCves.map((form) => [form.name, form] as const))("%s", async (_name, form) => {
    if (form.isAborted === true) {
      const before = blobsOf(server.dataPath).length;
      await abortUpload(server, form);
      await eventually(
        "the aborted upload's blobs are removed",
        () => blobsOf(server.dataPath).length === before,
      );
      return;
    }
    const answer = await expectUnchanged(server, () => uploadForm(server, form));
    expect([400, 409, 413]).toContain(answer.status);
  });
});
