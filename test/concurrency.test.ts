import { afterAll, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { field, filePart } from "./multipart.ts";
import { blobsOf } from "./snapshot.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const times = <Result>(count: number, act: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => act(at)));

/** Expects one success and this status for all others. */
function expectOneWinner(answers: readonly HttpResponse[], refused: number): number {
  const winners = answers.flatMap((answer, at) => (answer.status === 200 ? [at] : []));
  for (const answer of answers) if (answer.status !== 200) expectFault(answer, refused);
  expect(winners.length).toBe(1);
  return winners[0] ?? -1;
}

test.skipIf(isOnS3)(
  "stores one of 32 concurrent uploads of one name and rejects 31 with 409",
  async () => {
    const folder = unique("race");
    const before = blobsOf(server.dataPath).length;
    const answers = await times(32, (at) =>
      a.upload([field("folder", folder), filePart("same.txt", `content ${at} `.repeat(5_000))]),
    );
    const winner = expectOneWinner(answers, 409);
    const { files } = await a.browse(folder);
    expect(files.length).toBe(1);
    const hosted = await send(server, "GET", `/${files[0]?.url}`);
    expect(hosted.text).toBe(`content ${winner} `.repeat(5_000));
    await eventually("the losers' bytes are gone", () => {
      return blobsOf(server.dataPath).length === before + 1;
    });
  },
);

test("concurrent uploads of several files with common names store all of their files or none", async () => {
  const folder = unique("race");
  await times(32, (at) =>
    a.upload([
      field("folder", folder),
      filePart(`mine-${at}`, String(at)),
      filePart("shared", String(at)),
    ]),
  );
  const { files } = await a.browse(folder);
  expect(files.map((file) => file.name.split("-")[0]).sort()).toEqual(["mine", "shared"]);
});

test("uploads of different names into one new folder all succeed", async () => {
  const folder = `${unique("race")}/new/deep`;
  const answers = await times(24, (at) =>
    a.upload([field("folder", folder), filePart(`file-${at}`, "x")]),
  );
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  const shown = await a.browse(folder);
  expect(shown.files.length).toBe(24);
  expect((await a.browse(folder.replace("/deep", ""))).folders.length).toBe(1);
});

test("one of 16 concurrent creations of a folder succeeds", async () => {
  const folder = `${unique("race")}/way/end`;
  expectOneWinner(await times(16, () => a.json("POST", "/api/folders", { folder })), 409);
});

test("one of 16 concurrent renames to one name succeeds", async () => {
  const folder = unique("race");
  const files = await times(16, (at) => a.put(`${folder}/${at}`));
  const answers = await times(16, (at) =>
    a.json("PUT", "/api/files", { id: files[at]?.id, name: "winner" }),
  );
  expectOneWinner(answers, 409);
  expect((await a.browse(folder)).files.length).toBe(16);
});

test("either a file or a folder wins a race for one name", async () => {
  for (let round = 0; round < 8; round += 1) {
    const base = unique("race");
    await a.folder(base);
    const answers = await Promise.all([
      a.upload([field("folder", base), filePart("name", "x")]),
      a.json("POST", "/api/folders", { folder: `${base}/name` }),
    ]);
    expectOneWinner(answers, 409);
  }
});

test("one of 16 concurrent deletions of a file succeeds", async () => {
  const { id } = await a.put(unique("race"));
  expectOneWinner(await times(16, () => a.json("DELETE", "/api/files", { id })), 404);
});

test("uploads during renames and deletions of their folder leave no orphaned records", async () => {
  for (let round = 0; round < 6; round += 1) {
    const base = unique("race");
    const { folderId: id } = await a.put(`${base}/first`);
    const [upload, change] = await Promise.all([
      a.upload([field("folder", base), filePart("second", "x".repeat(100_000))]),
      round % 2 === 0
        ? a.json("DELETE", "/api/folders", { id })
        : a.json("PUT", "/api/folders", { id, name: `${base}-renamed` }),
    ]);
    expect(change.status).toBe(200);
    expect([200, 404, 409]).toContain(upload.status);
    for (const file of await a.list("?name=second")) {
      const folder = await a.browse(file.key.split("/")[0] ?? "");
      expect(folder.folder.id).toBe(file.folderId);
      expect((await send(server, "GET", `/${file.url}`)).status).toBe(200);
    }
  }
});

test("a read during a change sees the state before or after it", async () => {
  const folder = unique("race");
  const file = await a.put(`${folder}/one`);
  const change = async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = round % 2 === 0 ? "two" : "one";
      await a.json("PUT", "/api/files", { id: file.id, name });
    }
  };
  const read = async () => {
    for (let round = 0; round < 60; round += 1) {
      const { files } = await a.browse(folder);
      expect(files.map((one) => ["one", "two"].includes(one.name))).toEqual([true]);
    }
  };
  await Promise.all([change(), read()]);
});
