import { afterAll, beforeAll, expect, test } from "bun:test";
import { startServer, type TestServer } from "../../../test/harness.ts";
import { Holdall } from "../holdall.ts";

let server: TestServer;
let holdall: Holdall;
beforeAll(async () => {
  server = await startServer({ KEEP_VERSIONS: "true" });
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
});
afterAll(() => server.discard());

const upload = (name: string, content: string) =>
  holdall.files.upload(new Blob([content]), { name, folder: "a", onConflict: "replace" });

test("deletions say how to undo them, and the trash lists, restores and deletes", async () => {
  const file = await upload("a.txt", "12345");
  const other = await upload("b.txt", "1");
  const { undoId, deleted } = await holdall.files.deleteMany([file.id, other.id], { trash: true });
  expect(deleted).toEqual([file.id, other.id]);
  const page = await holdall.trash.list({ limit: 1 });
  expect(page.totals).toEqual({ items: 2, files: 2, bytes: 6 });
  const items = await Array.fromAsync(holdall.trash.each({ undoId, limit: 1 }));
  expect(items.map(({ id }) => id).toSorted()).toEqual([file.id, other.id].toSorted());
  const { restored, failed } = await holdall.trash.restore({ ids: [file.id] });
  expect([restored[0]?.key, failed]).toEqual(["a/a.txt", []]);
  expect(await holdall.trash.delete({ undoId: undoId ?? "" })).toEqual([other.id]);

  const one = await holdall.files.delete(file.id, { trash: true });
  await holdall.trash.restore({ undoId: one.undoId ?? "" });
  const whole = await holdall.folders.delete(file.folderId, { trash: true });
  await holdall.trash.restore({ undoId: whole.undoId ?? "" });
  expect(await holdall.files.delete(file.id)).toEqual({ undoId: null });
  expect(await holdall.folders.delete(file.folderId, { trash: false })).toEqual({ undoId: null });
  expect(await holdall.trash.delete({ all: true })).toEqual([]);
});

test("versions are listed, downloaded, restored and deleted", async () => {
  const { id } = await upload("v.txt", "old");
  await upload("v.txt", "new");
  const { versions, nextCursor } = await holdall.files.versions({ key: "a/v.txt" });
  expect(nextCursor).toBeNull();
  const [version, ...others] = versions;
  expect(others).toEqual([]);
  const versionId = version?.id ?? "";
  const { response, size } = await holdall.files.downloadVersion(versionId);
  expect([await response.text(), size]).toEqual(["old", 3]);
  const part = await holdall.files.downloadVersion(versionId, { range: { last: 2 } });
  expect(await part.response.text()).toBe("ld");
  const url = holdall.files.versionUrl(versionId, { download: true });
  expect(url).toBe(`${server.url}/api/files/versions/content?id=${versionId}&download=1`);
  expect((await holdall.files.restoreVersion(versionId)).id).toBe(id);
  await holdall.files.upload(new Blob(["third"]), {
    folder: "a",
    name: "v.txt",
    onConflict: "replace",
  });
  const each = await Array.fromAsync(holdall.files.eachVersion(id, { limit: 1 }));
  expect(each).toHaveLength(2);
  const {
    versions: [now],
  } = await holdall.files.versions(id, { limit: 1 });
  expect(now).toEqual(each[0]);
  expect(await holdall.files.deleteVersions([now?.id ?? ""])).toEqual([now?.id ?? ""]);
});
