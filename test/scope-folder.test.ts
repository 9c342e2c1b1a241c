import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { filePart } from "./multipart.ts";
import { inFolder, ofFile, requestNames } from "./scope-file-requests.ts";
import { ALL_ACTIONS, startScopedServer } from "./scope-server.ts";
import { browseData, folderData, newKeyData } from "./shapes.ts";

const { server, a, keyFor, tree, limited, sendAs } = await startScopedServer();

test("the activity of a folder shows no other callers, and nothing from outside", async () => {
  const shape = z.object({
    activity: z.array(
      z.object({
        actor: z.object({
          kind: z.string(),
          id: z.string().nullable(),
          name: z.string().nullable(),
        }),
        address: z.string().nullable(),
        subject: z.object({ id: z.string(), key: z.string().nullable() }).nullable(),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
  });
  const { top, inside, other, sibling } = tree();
  const admin = await keyFor(top.key, ["admin"]);
  await admin.json("PUT", "/api/files", { id: other.id, name: "probe.txt" });
  // By another caller: a failure that names an outside file, and a file that comes from outside.
  const taken = await a.put(`${inFolder(sibling)}/secret.txt`);
  const failed = { id: inside.id, name: "secret.txt", folderId: taken.folderId };
  expectFault(await a.json("PUT", "/api/files", failed), 409);
  await a.json("PUT", "/api/files", { id: sibling.id, name: "moved.txt", folderId: top.id });
  // Renames the folder of the key to the old name of the other one, so that old paths look inside.
  const oldOutside = inFolder(sibling);
  await a.json("PUT", "/api/folders", { id: top.id, name: unique("elsewhere") });
  await a.json("PUT", "/api/folders", { id: taken.folderId, name: unique("away") });
  await a.json("PUT", "/api/folders", { id: top.id, name: oldOutside });
  top.key = oldOutside;
  const own = expectData(
    await admin.json("POST", "/api/folders", { folder: `${oldOutside}/own` }),
    folderData,
  );
  const read = async () => expectData(await admin.get("/api/activity?limit=200"), shape).activity;
  await eventually("the new folder is recorded", async () =>
    (await read()).some(({ subject }) => subject?.key === own.folder.key),
  );
  const entries = await read();
  const current = new Map([
    [top.id, oldOutside],
    [own.folder.id, own.folder.key],
    [inside.id, `${oldOutside}/file.txt`],
    [sibling.id, `${oldOutside}/moved.txt`],
    [tree().deep.id, `${oldOutside}/in/deep.txt`],
  ]);
  for (const { subject, actor, address, detail } of entries) {
    expect(subject?.key).toBe(current.get(subject?.id ?? "") ?? "unknown");
    if (subject?.key !== own.folder.key)
      expect([actor.id, actor.name, address, detail]).toEqual([null, null, null, {}]);
  }
  const seen = new Set(entries.map(({ subject }) => subject?.id));
  for (const id of [inside.id, sibling.id, top.id]) expect(seen).toContain(id);
  expect(JSON.stringify(entries)).not.toMatch(/secret|probe/);
  expect(entries.find(({ subject }) => subject?.key === own.folder.key)?.actor.id).toBeString();
  expect(entries.length).toBeGreaterThan(1);
});

describe("the folder of a key", () => {
  test("is followed when it is renamed and moved, and its old name is not", async () => {
    const { top, inside, deep, other } = tree();
    await a.json("PUT", "/api/folders", { id: top.id, name: unique("renamed") });
    await a.json("PUT", "/api/folders", { id: top.id, parentId: other.folderId });
    const { folder } = expectData(await limited().get("/api/folders"), browseData);
    expect(folder.key).toStartWith(`${inFolder(other)}/renamed`);
    expect((await limited().list()).map(({ id }) => id).sort()).toEqual(
      [inside.id, deep.id].sort(),
    );
    expect((await limited().get(`/api/files/download/${deep.id}`)).text).toBe("deep");
    expectFault(await limited().get(`/api/files?id=${other.id}`), 404);
    const impostor = await a.put(inside.key, "another", { visibility: "private" });
    expectFault(await limited().get(`/api/files?key=${inside.key}`), 404);
    expectFault(await limited().get(`/${impostor.url}`), 404);
    const { url } = await limited().file(inside.id);
    expect((await limited().get(`/${url}`)).text).toBe("inside");
  });

  test("gives access to nothing once it is deleted, even if there is a new one", async () => {
    const { top, inside, deep } = tree();
    await a.json("DELETE", "/api/folders", { id: top.id });
    const again = await a.put(inside.key, "again", { visibility: "private" });
    expect(await limited().list()).toEqual([]);
    for (const file of [inside, deep, again]) {
      for (const name of requestNames) {
        const answer = await sendAs(limited(), ofFile(file)[name][1]);
        expect([name, answer.status]).toEqual([name, 404]);
      }
    }
    for (const path of ["/api/folders", "/api/folders/size", "/api/folders/download"]) {
      expectFault(await limited().get(path), 404);
    }
    expectFault(await limited().upload([filePart("new.txt", "x")]), 404);
    expect(await a.file(again.id)).toEqual(again);
  });

  test("must still be in the folder of the key that made the key", async () => {
    const parent = await keyFor(tree().top.key, [...ALL_ACTIONS, "keys"]);
    const made = await parent.json("POST", "/api/keys", {
      name: unique("child"),
      folder: `${tree().top.key}/in`,
      actions: ALL_ACTIONS,
    });
    const { secret } = expectData(made, newKeyData);
    const child = { ...api({ url: server.url, apiKey: secret }), secret };
    expect((await child.list()).map(({ id }) => id)).toEqual([tree().deep.id]);
    expectFault(await child.get(`/api/files?id=${tree().inside.id}`), 404);
    const { folderId } = tree().deep;
    const parentId = tree().other.folderId;
    await a.json("PUT", "/api/folders", { id: folderId, parentId });
    expect(await child.list()).toEqual([]);
    expectFault(await child.get(`/api/files?id=${tree().deep.id}`), 404);
    expectFault(await child.get("/api/folders"), 404);
    await a.json("PUT", "/api/folders", { id: folderId, parentId: tree().top.id });
    expect((await child.list()).map(({ id }) => id)).toEqual([tree().deep.id]);
  });
});
