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

test("10,000 mutated forms are parsed or rejected, independent of their chunks", async () => {
  const count = { read: 0, refused: 0, broken: 0 };
  for (let seed = 0; seed < 10_000; seed += 1) {
    const { outcome, problem } = await fuzzMultipartParser(seed);
    if (problem !== "") throw new Error(`Seed ${seed}: ${problem}`);
    count[outcome] += 1;
  }
  // The mutations must lead to both outcomes.
  expect(Math.min(count.read, count.refused)).toBeGreaterThan(500);
});

test("500 of them are uploaded or rejected with 4xx, and rejected ones leave nothing", async () => {
  let stored = 0;
  for (let seed = 0; seed < 500; seed += 1) {
    const answer = await uploadForm(server, mutatedForm(createSeededRandom(seed)));
    if (answer.status === 200) stored += JSON.parse(answer.text).data.files.length;
    else
      expect({ seed, isRefusal: [400, 409, 413].includes(answer.status) }).toEqual({
        seed,
        isRefusal: true,
      });
  }
  const files = await api(server).list();
  expect(files.length).toBeLessThanOrEqual(stored);
  await eventually(
    "rejected uploads leave no blobs",
    () => blobsOf(server.dataPath).length === files.length,
  );
  expect(server.output()).not.toContain("Unexpected server error");
});

describe("known attacks on other parsers are rejected and store nothing", () => {
  test.each(multipartCves.map((form) => [form.name, form] as const))("%s", async (_name, form) => {
    if (form.cut === true) {
      const before = blobsOf(server.dataPath).length;
      await abortUpload(server, form);
      await eventually("its bytes are gone", () => blobsOf(server.dataPath).length === before);
      return;
    }
    const answer = await expectUnchanged(server, () => uploadForm(server, form));
    expect([400, 409, 413]).toContain(answer.status);
  });
});
