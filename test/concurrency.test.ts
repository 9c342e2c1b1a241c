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

/** One success, and everyone else refused with this status. */
function expectOneWinner(answers: readonly HttpResponse[], refused: number): number {
  const winners = answers.flatMap((answer, at) => (answer.status === 200 ? [at] : []));
  for (const answer of answers) if (answer.status !== 200) expectFault(answer, refused);
  expect(winners.length).toBe(1);
  return winners[0] ?? -1;
}

test.skipIf(isOnS3)("of 32 uploads of one name, one is stored and 31 are conflicts", async () => {
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
});

test("of 32 uploads of several files, those that overlap store all or nothing", async () => {
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

test("of 16 creations of one folder, one succeeds", async () => {
  const folder = `${unique("race")}/way/end`;
  expectOneWinner(await times(16, () => a.json("POST", "/api/folders", { folder })), 409);
});

test("of 16 renames to one name, one succeeds", async () => {
  const folder = unique("race");
  const files = await times(16, (at) => a.put(`${folder}/${at}`));
  const answers = await times(16, (at) =>
    a.json("PUT", "/api/files", { id: files[at]?.id, name: "winner" }),
  );
  expectOneWinner(answers, 409);
  expect((await a.browse(folder)).files.length).toBe(16);
});

test("a file and a folder racing for one name: one succeeds", async () => {
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

test("of 16 deletions of one file, one succeeds", async () => {
  const { id } = await a.put(unique("race"));
  expectOneWinner(await times(16, () => a.json("DELETE", "/api/files", { id })), 404);
});

test("uploads against renames and deletions of their folder leave no stray record", async () => {
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

test("reads during changes see the one state or the other", async () => {
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
