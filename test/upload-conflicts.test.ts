import { afterAll, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { filesData } from "./shapes.ts";
import { blobsOf, expectUnchanged } from "./snapshot.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const upload = async (...parts: Parameters<typeof a.upload>[0]) =>
  expectData(await a.upload(parts), filesData).files;
const hosted = async (url: string) => send(server, "GET", `/${url}`);

test.skipIf(isOnS3)(
  "replace stores new content under the same id and removes the old bytes",
  async () => {
    const folder = unique("replace");
    const old = await a.put(`${folder}/a.txt`, "old", { visibility: "private" });
    await a.json("PUT", "/api/files", { id: old.id, visibility: "public" });
    const before = await hosted(old.url);
    const count = blobsOf(server.dataPath).length;
    const [file, other] = await upload(
      field("folder", folder),
      field("onConflict", "replace"),
      filePart("a.txt", "new"),
      filePart("b.txt", "b"),
    );
    expect(file).toMatchObject({ id: old.id, url: old.url, createdAt: old.createdAt });
    expect(other).toMatchObject({ key: `${folder}/b.txt` });
    const after = await hosted(old.url);
    expect(after.text).toBe("new");
    expect(after.header("etag")).not.toBe(before.header("etag"));
    // One file more, one blob less.
    await eventually("the old bytes go", () => blobsOf(server.dataPath).length === count + 1);
  },
);

test("a replaced private file stays private unless visibility is given", async () => {
  const folder = unique("private");
  await a.put(`${folder}/a`, "old", { visibility: "private" });
  const again = [field("folder", folder), field("onConflict", "replace")];
  const [kept] = await upload(...again, filePart("a", "1"));
  expect(kept?.visibility).toBe("private");
  const [shown] = await upload(...again, field("visibility", "public"), filePart("a", "2"));
  expect(shown?.visibility).toBe("public");
});

test("a failed upload does not change the file to replace", async () => {
  const folder = unique("fails");
  const old = await a.put(`${folder}/a`, "old");
  await a.folder(`${folder}/dir`);
  const parts = [field("folder", folder), field("onConflict", "replace"), filePart("a", "new")];
  const answer = await expectUnchanged(server, () => a.upload([...parts, filePart("dir", "x")]));
  expectFault(answer, 409, /dir/);
  expect((await hosted(old.url)).text).toBe("old");
});

test("keepBoth stores the file under the next free number", async () => {
  const folder = unique("both");
  await a.put(`${folder}/a.txt`, "first");
  const parts = [field("folder", folder), field("onConflict", "keepBoth"), filePart("a.txt", "2")];
  const names = [(await upload(...parts))[0]?.name, (await upload(...parts))[0]?.name];
  expect(names).toEqual(["a (2).txt", "a (3).txt"]);
});

test.skipIf(isOnS3)("skip stores only the other files and leaves no blobs", async () => {
  const folder = unique("skip");
  await a.put(`${folder}/a`, "old");
  const count = blobsOf(server.dataPath).length;
  const parts = [field("folder", folder), field("onConflict", "skip"), filePart("a", "new")];
  const files = await upload(...parts, filePart("b", "b"));
  expect(files.map(({ name }) => name)).toEqual(["b"]);
  expect(await upload(...parts, filePart("b", "again"))).toEqual([]);
  expect(blobsOf(server.dataPath).length).toBe(count + 1);
});

test("the default is refuse", async () => {
  const folder = unique("refuse");
  await a.put(`${folder}/a`, "old");
  for (const extra of [[], [field("onConflict", "refuse")]]) {
    const parts = [...extra, field("folder", folder), filePart("a", "new")];
    expectFault(await a.upload(parts), 409, /"a"/);
  }
});

test("rejects onConflict with 400 if it is unknown, repeated or after the files", async () => {
  const file = filePart(unique("odd"), "x");
  const cases = [
    [field("onConflict", "overwrite"), file],
    [field("onConflict", "skip"), field("onConflict", "skip"), file],
    [file, field("onConflict", "skip")],
  ];
  for (const parts of cases) {
    const answer = await expectUnchanged(server, () => a.upload(parts));
    expectFault(answer, 400, /onConflict/);
  }
});

test("readers of a file being replaced get the old or the new content", async () => {
  const folder = unique("readers");
  const { url } = await a.put(`${folder}/a`, "0".repeat(50_000));
  let done = false;
  const read = async () => {
    while (!done) {
      const { status, text } = await hosted(url);
      expect(status).toBe(200);
      expect(new Set(text).size).toBe(1);
    }
  };
  const readers = [read(), read()];
  for (let round = 1; round < 10; round += 1) {
    const parts = [field("folder", folder), field("onConflict", "replace")];
    await upload(...parts, filePart("a", String(round).repeat(50_000)));
  }
  done = true;
  await Promise.all(readers);
});
