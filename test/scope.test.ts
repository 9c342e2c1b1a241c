import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { head, type RawHttpResponse, rawRequest } from "./raw.ts";
import {
  batchData,
  browseData,
  type FileShape,
  type FolderShape,
  fileData,
  filesData,
  folderData,
  newKeyData,
  pageData,
  searchData,
  signedData,
  sizeData,
} from "./shapes.ts";
import { unzip } from "./unzip.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const ALL = ["list", "read", "write", "delete", "share"] as const;
const MISSING_ID = "01900000-0000-7000-8000-000000000000";

async function keyFor(folder: string | undefined, actions: readonly string[] = ALL) {
  const body = { name: unique("key"), actions, ...(folder === undefined ? {} : { folder }) };
  const { secret } = expectData(await a.json("POST", "/api/keys", body), newKeyData);
  return { ...api({ url: server.url, apiKey: secret }), secret };
}

type Client = Awaited<ReturnType<typeof keyFor>>;

interface Tree {
  /** The folder of the key. */
  readonly top: FolderShape;
  readonly inside: FileShape;
  readonly deep: FileShape;
  /** Next to the folder, with a name that begins alike. */
  readonly sibling: FileShape;
  readonly other: FileShape;
  readonly atRoot: FileShape;
}

let tree: Tree;
let limited: Client;

const inFolder = (file: FileShape): string => file.key.slice(0, file.key.lastIndexOf("/"));

beforeEach(async () => {
  const name = unique("scope");
  const hidden = { visibility: "private" };
  const inside = await a.put(`${name}/file.txt`, "inside", hidden);
  tree = {
    inside,
    deep: await a.put(`${name}/in/deep.txt`, "deep", hidden),
    sibling: await a.put(`${name}0/file.txt`, "sibling", hidden),
    other: await a.put(`other-${name}/file.txt`, "other", hidden),
    atRoot: await a.put(`${name}.txt`, "root", hidden),
    top: (await a.browse(name)).folder,
  };
  limited = await keyFor(name);
});

/** A request about a file, or about its folder. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** By the action that each needs. */
const requests = (file: { id: string; key: string; folderId: string; folder: string }) => {
  const { id, key, folderId, folder } = file;
  const path = key.split("/").map(encodeURIComponent).join("/");
  const get = (path: string): Request => ({ method: "GET", path });
  const json = (method: string, path: string, body: unknown): Request => ({ method, path, body });
  return {
    "list a file by id": ["list", get(`/api/files?id=${id}`)],
    "list a file by key": ["list", get(`/api/files?key=${encodeURIComponent(key)}`)],
    "digest of a file": ["list", get(`/api/files/digest?id=${id}`)],
    "browse a folder by id": ["list", get(`/api/folders?id=${folderId}`)],
    "browse a folder by key": ["list", get(`/api/folders?key=${encodeURIComponent(folder)}`)],
    "measure a folder": ["list", get(`/api/folders/size?id=${folderId}`)],
    "search a folder": ["list", get(`/api/search?q=file&folderId=${folderId}`)],
    "download a file": ["read", get(`/api/files/download/${id}`)],
    "download a zip of a folder": ["read", get(`/api/folders/download?id=${folderId}`)],
    "download a zip of a file": ["read", json("POST", "/api/files/download", { ids: [id] })],
    "download a zip of a selected folder": [
      "read",
      json("POST", "/api/files/download", { folderIds: [folderId] }),
    ],
    "host a file": ["read", get(`/api/hosting/${path}`)],
    "sign a file by id": ["share", json("POST", "/api/files/sign", { id })],
    "sign a file by key": ["share", json("POST", "/api/files/sign", { key })],
    "rename a file": ["write", json("PUT", "/api/files", { id, name: unique("name") })],
    "show a file": ["write", json("PUT", "/api/files", { id, visibility: "private" })],
    "create a folder": [
      "write",
      json("POST", "/api/folders", { folder: `${folder}/${unique("folder")}` }),
    ],
    "show a folder": [
      "write",
      json("PUT", "/api/folders", { id: folderId, visibility: "private" }),
    ],
    "rename a folder": ["write", json("PUT", "/api/folders", { id: folderId, name: unique("n") })],
    "delete a file": ["delete", json("DELETE", "/api/files", { id })],
    "delete files": ["delete", json("DELETE", "/api/files", { ids: [id, MISSING_ID] })],
    "delete a folder": ["delete", json("DELETE", "/api/folders", { id: folderId })],
  } as const satisfies Record<string, readonly [string, Request]>;
};

type Name = keyof ReturnType<typeof requests>;
const names = Object.keys(
  requests({ id: "", key: "", folderId: "", folder: "" }),
) as readonly Name[];

const ofFile = (file: FileShape) => requests({ ...file, folder: inFolder(file) });

function sendRaw({ secret }: Client, { method, path, body }: Request): Promise<RawHttpResponse> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers: [string, string][] = [["API-Key", secret]];
  if (body !== undefined) {
    headers.push(["Content-Type", "application/json"], ["Content-Length", `${text.length}`]);
  }
  return rawRequest(server.port, head(method, path, headers) + text);
}

const sendAs = ({ secret }: Client, { method, path, body }: Request): Promise<HttpResponse> =>
  send(
    server,
    method,
    path,
    { "API-Key": secret, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body === undefined ? undefined : JSON.stringify(body),
  );

/** Everything that any answer to a limited key must not contain. */
function expectNothingOutside({ text }: { readonly text: string }): void {
  for (const { id, key, folderId } of [tree.sibling, tree.other, tree.atRoot]) {
    for (const hidden of [id, key, folderId]) expect(text).not.toContain(`"${hidden}"`);
  }
}

describe("outside the folder of a key", () => {
  test.each(names)("%s: byte for byte like something missing", async (name) => {
    for (const file of [tree.sibling, tree.other]) {
      const missing = {
        id: MISSING_ID,
        folderId: MISSING_ID,
        key: file.key.replace(/^./, "~"),
        folder: inFolder(file).replace(/^./, "~"),
      };
      for (const client of [limited, await keyFor(tree.top.key, ["keys"])]) {
        const answers = [];
        for (const [subject, request] of [
          [file, ofFile(file)[name][1]],
          [missing, requests(missing)[name][1]],
        ] as const) {
          const { status, received } = await sendRaw(client, request);
          expect(status).toBe(404);
          // The message of a zip names the id that it was given.
          const text = received.toString("latin1").replace(/^date: .*$/im, "");
          answers.push(text.replaceAll(subject.id, "ID").replaceAll(subject.folderId, "ID"));
        }
        expect(answers[0]).toBe(answers[1] ?? "");
      }
      expect(await a.file(file.id)).toEqual(file);
    }
  });

  test("the root is missing too", async () => {
    const { folder: root } = await a.browse("");
    for (const path of [
      "/api/folders?key=",
      "/api/folders?path=/",
      `/api/folders?id=${root.id}`,
      "/api/folders/size?key=/",
      `/api/folders/download?id=${root.id}`,
      `/api/search?q=e&folderId=${root.id}`,
      `/api/files?id=${tree.atRoot.id}`,
    ]) {
      expectFault(await limited.get(path), 404);
    }
  });

  test("nothing can be uploaded or created, whether it exists or not", async () => {
    const { top, sibling, inside } = tree;
    const targets = ["", "/", inFolder(sibling), unique("new"), `${top.key}0`, `${top.key}-`];
    const messages = new Set<string>();
    for (const target of targets) {
      for (const parts of [
        [field("folder", target), filePart("file.txt", "x")],
        [filePart("file.txt", "x"), field("folder", target)],
        [field("onConflict", "replace"), field("folder", target), filePart("file.txt", "x")],
      ]) {
        messages.add(expectFault(await limited.upload(parts), 404));
      }
      const made = await limited.json("POST", "/api/folders", { folder: `${target}/x` });
      messages.add(expectFault(made, 404));
    }
    expect(messages.size).toBe(1);
    expect((await a.browse("")).folders.map(({ name }) => name)).not.toContain(`${top.key}-`);
    expect(await a.file(sibling.id)).toEqual(sibling);
    expect(await a.file(inside.id)).toEqual(inside);
  });

  test("a public file is served at its URL as to anyone, but is missing for the API", async () => {
    const shown = await a.put(`${unique("shown")}/file.txt`, "public");
    expect((await limited.get(`/${shown.url}`)).text).toBe("public");
    expectFault(await limited.get(`/api/files/download/${shown.id}`), 404);
  });

  test("a file or folder cannot be moved in or out", async () => {
    const { top, inside, deep, sibling } = tree;
    const move = (body: object) => limited.json("PUT", "/api/files", body);
    const moveFolder = (body: object) => limited.json("PUT", "/api/folders", body);
    const gone = expectFault(await move({ id: inside.id, folderId: MISSING_ID }), 404);
    expect(expectFault(await move({ id: inside.id, folderId: sibling.folderId }), 404)).toBe(gone);
    expectFault(await move({ id: sibling.id, folderId: top.id }), 404);
    const lost = expectFault(await moveFolder({ id: deep.folderId, parentId: MISSING_ID }), 404);
    const out = { id: deep.folderId, parentId: sibling.folderId };
    expect(expectFault(await moveFolder(out), 404)).toBe(lost);
    expectFault(await moveFolder({ id: sibling.folderId, parentId: top.id }), 404);
    const within = expectData(await move({ id: inside.id, folderId: deep.folderId }), fileData);
    expect(within.file.key).toBe(`${top.key}/in/file.txt`);
  });

  test("ids are unknown to a batch", async () => {
    const { inside, sibling, other, deep } = tree;
    const ids = [sibling.id, inside.id, MISSING_ID, other.id];
    const result = expectData(await limited.json("DELETE", "/api/files", { ids }), batchData);
    expect(result.deleted).toEqual([inside.id]);
    expect(result.failed.map(({ id }) => id)).toEqual([sibling.id, MISSING_ID, other.id]);
    expect(new Set(result.failed.map(({ message }) => message)).size).toBe(1);
    expect(await a.file(sibling.id)).toEqual(sibling);
    const mixed = await limited.json("POST", "/api/files/download", { ids: [deep.id, other.id] });
    expectFault(mixed, 404);
  });
});

describe("inside the folder of a key", () => {
  test.each(names)("%s: works with its action", async (name) => {
    const { status, text } = await sendAs(limited, ofFile(tree.deep)[name][1]);
    expect({ status, text }).toEqual({ status: 200, text });
    expectNothingOutside({ text });
  });

  test.each(names)("%s: is forbidden without its action", async (name) => {
    const [action, request] = ofFile(tree.deep)[name];
    const without = ALL.filter((each) => each !== action);
    for (const folder of [tree.top.key, undefined]) {
      const answer = await sendAs(await keyFor(folder, without), request);
      if (name === "host a file") expectFault(answer, 404);
      else expectFault(answer, 403, new RegExp(`\`${action}\``));
    }
    expect((await a.get(`/api/files/download/${tree.deep.id}`)).text).toBe("deep");
    const missing = requests({ id: MISSING_ID, key: "~", folderId: MISSING_ID, folder: "~" });
    if (name !== "create a folder") {
      const nobody = await keyFor(undefined, without);
      expectFault(await sendAs(nobody, missing[name][1]), 404);
    }
  });

  test("what one may not download cannot be shared", async () => {
    const sharer = await keyFor(tree.top.key, ["list", "share"]);
    const answer = await sharer.json("POST", "/api/files/sign", { id: tree.inside.id });
    expectFault(answer, 403, /`read`/);
    const { id } = tree.inside;
    const { url } = expectData(await limited.json("POST", "/api/files/sign", { id }), signedData);
    expect((await send(server, "GET", `/${url}`)).text).toBe("inside");
  });

  test("lists, search and sizes are cut to the folder", async () => {
    const { top, inside, deep } = tree;
    const keys = (files: readonly FileShape[]) => files.map(({ key }) => key).sort();
    const expected = keys([inside, deep]);
    for (const orderBy of ["createdAt", "updatedAt", "name", "size", "type"]) {
      expect(keys(await limited.list(`?orderBy=${orderBy}`))).toEqual(expected);
    }
    expect(keys(await limited.list("?name=file.txt"))).toEqual([inside.key]);
    const digest = JSON.parse((await a.get(`/api/files/digest?id=${inside.id}`)).text).data.sha256;
    await a.put(`${unique("same")}/file.txt`, "inside");
    expect(keys(await limited.list(`?sha256=${digest}`))).toEqual([inside.key]);
    const first = expectData(await limited.get("/api/files?limit=1&cursor="), pageData);
    const second = expectData(
      await limited.get(`/api/files?limit=1&cursor=${first.nextCursor}`),
      pageData,
    );
    expect(keys([...first.files, ...second.files])).toEqual(expected);
    expect(second.nextCursor).toBeNull();
    expect(keys(await limited.list("?offset=1"))).toEqual([second.files[0]?.key ?? ""]);

    const found = expectData(await limited.get("/api/search?q=e"), searchData);
    expect(keys(found.files)).toEqual(expected);
    const folders = expectData(await limited.get("/api/search?q=in"), searchData).folders;
    expect(folders.map(({ key }) => key)).toEqual([`${top.key}/in`]);
    expect(expectData(await limited.get("/api/folders/size"), sizeData)).toEqual({
      files: 2,
      folders: 1,
      bytes: inside.size + deep.size,
    });
  });

  test("a request that names no folder means the key's folder, which has no parent", async () => {
    const { top, inside } = tree;
    const view = expectData(await limited.get("/api/folders"), browseData);
    expect(view.folder).toEqual({ ...top, parentId: null });
    expect(view.files.map(({ key }) => key)).toEqual([inside.key]);
    expect(view.folders.map(({ key, parentId }) => [key, parentId])).toEqual([
      [`${top.key}/in`, top.id],
    ]);
    const shown = await limited.json("PUT", "/api/folders", { id: top.id, visibility: "private" });
    expect(expectData(shown, folderData).folder.parentId).toBeNull();
    const zip = unzip((await limited.get("/api/folders/download")).bytes);
    expect(zip.map(({ path }) => path).sort()).toEqual(
      ["", "file.txt", "in/", "in/deep.txt"].map((name) => `${top.key}/${name}`).sort(),
    );
    const uploaded = await limited.upload([filePart("new.txt", "x")]);
    expect(expectData(uploaded, filesData).files[0]?.key).toBe(`${top.key}/new.txt`);
  });

  test("uploads create missing folders, replace and refuse taken names", async () => {
    const { top, inside } = tree;
    const upload = (...parts: Parameters<typeof limited.upload>[0]) => limited.upload(parts);
    const made = await upload(field("folder", `${top.key}/x/y`), filePart("a.txt", "x"));
    expect(expectData(made, filesData).files[0]?.key).toBe(`${top.key}/x/y/a.txt`);
    expectFault(await upload(field("folder", top.key), filePart("file.txt", "x")), 409);
    const replaced = await upload(
      field("folder", top.key),
      field("onConflict", "replace"),
      filePart("file.txt", "new content"),
    );
    expect(expectData(replaced, filesData).files[0]?.id).toBe(inside.id);
  });

  test("a key without write is refused before its upload is read", async () => {
    const reader = await keyFor(tree.top.key, ["list", "read"]);
    for (const folder of [tree.top.key, inFolder(tree.sibling), ""]) {
      const { contentType, bytes } = multipart([field("folder", folder), filePart("n.txt", "x")]);
      const headers = { "API-Key": reader.secret, "Content-Type": contentType };
      expectFault(await send(server, "POST", "/api/files", headers, bytes), 403, /`write`/);
    }
  });

  test("the folder itself cannot be renamed, moved or deleted", async () => {
    const { top, deep } = tree;
    const change = (body: object) => limited.json("PUT", "/api/folders", { id: top.id, ...body });
    expectFault(await change({ name: "else" }), 403, /the folder itself/);
    expectFault(await change({ parentId: deep.folderId }), 403, /the folder itself/);
    expectFault(await change({ parentId: top.parentId }), 404);
    const removal = await limited.json("DELETE", "/api/folders", { id: top.id });
    expectFault(removal, 403, /the folder itself/);
    expectData(await change({ name: top.name }), folderData);
  });

  test("operations on the instance are forbidden, even with admin", async () => {
    const admin = await keyFor(tree.top.key, ["admin"]);
    expectFault(await admin.get("/api/settings"), 403, /limited to a folder/);
    expectFault(await admin.json("PUT", "/api/settings", { maxDeleteBatch: 1 }), 403);
    expect((await admin.list()).length).toBe(2);
  });
});

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
  const { top, inside, other, sibling } = tree;
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
    [tree.deep.id, `${oldOutside}/in/deep.txt`],
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
    const { top, inside, deep, other } = tree;
    await a.json("PUT", "/api/folders", { id: top.id, name: unique("renamed") });
    await a.json("PUT", "/api/folders", { id: top.id, parentId: other.folderId });
    const { folder } = expectData(await limited.get("/api/folders"), browseData);
    expect(folder.key).toStartWith(`${inFolder(other)}/renamed`);
    expect((await limited.list()).map(({ id }) => id).sort()).toEqual([inside.id, deep.id].sort());
    expect((await limited.get(`/api/files/download/${deep.id}`)).text).toBe("deep");
    expectFault(await limited.get(`/api/files?id=${other.id}`), 404);
    const impostor = await a.put(inside.key, "another", { visibility: "private" });
    expectFault(await limited.get(`/api/files?key=${inside.key}`), 404);
    expectFault(await limited.get(`/${impostor.url}`), 404);
    const { url } = await limited.file(inside.id);
    expect((await limited.get(`/${url}`)).text).toBe("inside");
  });

  test("gives access to nothing once it is deleted, even if there is a new one", async () => {
    const { top, inside, deep } = tree;
    await a.json("DELETE", "/api/folders", { id: top.id });
    const again = await a.put(inside.key, "again", { visibility: "private" });
    expect(await limited.list()).toEqual([]);
    for (const file of [inside, deep, again]) {
      for (const name of names) {
        const answer = await sendAs(limited, ofFile(file)[name][1]);
        expect([name, answer.status]).toEqual([name, 404]);
      }
    }
    for (const path of ["/api/folders", "/api/folders/size", "/api/folders/download"]) {
      expectFault(await limited.get(path), 404);
    }
    expectFault(await limited.upload([filePart("new.txt", "x")]), 404);
    expect(await a.file(again.id)).toEqual(again);
  });

  test("must still be in the folder of the key that made the key", async () => {
    const parent = await keyFor(tree.top.key, [...ALL, "keys"]);
    const made = await parent.json("POST", "/api/keys", {
      name: unique("child"),
      folder: `${tree.top.key}/in`,
      actions: ALL,
    });
    const { secret } = expectData(made, newKeyData);
    const child = { ...api({ url: server.url, apiKey: secret }), secret };
    expect((await child.list()).map(({ id }) => id)).toEqual([tree.deep.id]);
    expectFault(await child.get(`/api/files?id=${tree.inside.id}`), 404);
    const { folderId } = tree.deep;
    const parentId = tree.other.folderId;
    await a.json("PUT", "/api/folders", { id: folderId, parentId });
    expect(await child.list()).toEqual([]);
    expectFault(await child.get(`/api/files?id=${tree.deep.id}`), 404);
    expectFault(await child.get("/api/folders"), 404);
    await a.json("PUT", "/api/folders", { id: folderId, parentId: tree.top.id });
    expect((await child.list()).map(({ id }) => id)).toEqual([tree.deep.id]);
  });
});
