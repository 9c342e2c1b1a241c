import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { head, openRaw } from "./raw.ts";
import { batchData } from "./shapes.ts";
import { blobsOf, expectUnchanged } from "./snapshot.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const remove = (body: unknown) => a.json("DELETE", "/api/files", body);

/** The blob of this size on disk; the caller chooses a unique size. */
function blobOfSize(size: number): string {
  const folder = join(server.dataPath, "blobs");
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size === size);
  expect(found.length).toBe(1);
  return found[0] ?? "";
}

test.skipIf(isOnS3)("removes a file everywhere, with its bytes", async () => {
  const size = 3_333_333;
  const file = await a.put(`${unique("delete")}/f.bin`, Buffer.alloc(size));
  const beside = await a.put(file.key.replace("f.bin", "g.bin"));
  expect(blobsOf(server.dataPath).some((blob) => blob.endsWith(` ${size}`))).toBe(true);
  expect(expectData(await remove({ id: file.id }), batchData)).toEqual({
    deleted: [file.id],
    failed: [],
  });
  expectFault(await a.get(`/api/files?id=${file.id}`), 404);
  expectFault(await a.get(`/api/files/download/${file.id}`), 404);
  expectFault(await send(server, "GET", `/${file.url}`), 404);
  expect((await a.browse(file.key.split("/")[0] ?? "")).files).toEqual([beside]);
  await eventually("its bytes are gone", () =>
    blobsOf(server.dataPath).every((blob) => !blob.endsWith(` ${size}`)),
  );
  expect((await send(server, "GET", `/${beside.url}`)).status).toBe(200);
});

test("frees the name", async () => {
  const file = await a.put(`${unique("delete")}/f`);
  await remove({ id: file.id });
  expect((await a.put(file.key)).id).not.toBe(file.id);
});

test.skipIf(isOnS3)("deletes a file whose bytes are missing", async () => {
  const file = await a.put(unique("missing"), Buffer.alloc(2_222_222));
  rmSync(blobOfSize(2_222_222));
  expect(expectData(await remove({ id: file.id }), batchData).deleted).toEqual([file.id]);
  expectFault(await a.get(`/api/files?id=${file.id}`), 404);
});

test.skipIf(isOnS3)("a file whose bytes are missing is 404 and logged as damage", async () => {
  const file = await a.put(unique("damaged"), Buffer.alloc(2_444_444));
  rmSync(blobOfSize(2_444_444));
  const from = server.output().length;
  expectFault(await send(server, "GET", `/${file.url}`), 404);
  expectFault(await a.get(`/api/files/download/${file.id}`), 404);
  expectFault(await a.get(`/${file.url}`, { Range: "bytes=0-9" }), 404);
  await eventually("the log reports it", () => /damage/i.test(server.output().slice(from)));
  expect(await a.file(file.id)).toEqual(file);
});

test("a download in progress completes", async () => {
  const content = Buffer.alloc(40_000_000, 7);
  const file = await a.put(unique("slow"), content);
  const connection = await openRaw(server.port);
  connection.send(head("GET", `/${file.url}`));
  await new Promise((resolve) => connection.socket.once("data", resolve));
  connection.socket.pause();
  expectData(await remove({ id: file.id }), batchData);
  // Time for the removal of the blob, which must not disturb the download.
  await Bun.sleep(500);
  connection.socket.resume();
  const answer = await connection.answer();
  connection.destroy();
  expect(answer.bytes.length).toBe(content.length);
  expect(Buffer.compare(answer.bytes, content)).toBe(0);
});

describe("rejects", () => {
  test("404 for a file that does not exist or was deleted", async () => {
    const file = await a.put(unique("delete"));
    await remove({ id: file.id });
    for (const id of [file.id, "nope", "", "../../etc/passwd"]) {
      const answer = await expectUnchanged(server, () => remove({ id }));
      expectFault(answer, 404);
    }
  });

  test("404 for the id of a folder", async () => {
    const folder = await a.folder(unique("folder"));
    expectFault(await expectUnchanged(server, () => remove({ id: folder.id })), 404);
  });

  test.each(["{}", '{"id":5}', '{"id":null}', '{"id":["x"]}', '{"ID":"x"}'])(
    "%s is 400",
    async (body) => {
      const answer = await expectUnchanged(server, () => remove(body));
      expectFault(answer, 400, /id/);
    },
  );
});
