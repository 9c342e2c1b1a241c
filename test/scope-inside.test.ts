import { describe, expect, test } from "bun:test";
import { send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { inFolder, MISSING_ID, ofFile, requestNames, requests } from "./scope-file-requests.ts";
import { ALL_ACTIONS, type ScopedClient, startScopedServer } from "./scope-server.ts";
import {
  browseData,
  type FileShape,
  filesData,
  folderData,
  pageData,
  searchData,
  signedData,
  sizeData,
  sizesData,
} from "./shapes.ts";
import { unzip } from "./unzip.ts";

const { server, a, keyFor, tree, limited, sendAs, expectNothingOutside } =
  await startScopedServer();

describe("inside the folder of a key", () => {
  test.each(requestNames)("%s: works with its action", async (name) => {
    const { status, text } = await sendAs(limited(), ofFile(tree().deep)[name][1]);
    expect({ status, text }).toEqual({ status: 200, text });
    expectNothingOutside({ text });
  });

  test.each(requestNames)("%s: is forbidden without its action", async (name) => {
    const [action, request] = ofFile(tree().deep)[name];
    const without = ALL_ACTIONS.filter((each) => each !== action);
    for (const folder of [tree().top.key, undefined]) {
      const answer = await sendAs(await keyFor(folder, without), request);
      if (name === "host a file") expectFault(answer, 404);
      // `delete` implies `discard`, which is what a deletion needs at least.
      else
        expectFault(answer, 403, action === "delete" ? /`discard`/ : new RegExp(`\`${action}\``));
    }
    expect((await a.get(`/api/files/download/${tree().deep.id}`)).text).toBe("deep");
    const missing = requests({ id: MISSING_ID, key: "~", folderId: MISSING_ID, folder: "~" });
    if (name !== "create a folder") {
      const nobody = await keyFor(undefined, without);
      expectFault(await sendAs(nobody, missing[name][1]), 404);
    }
  });

  test("what one may not download cannot be shared", async () => {
    const sharer = await keyFor(tree().top.key, ["list", "share"]);
    const answer = await sharer.json("POST", "/api/files/sign", { id: tree().inside.id });
    expectFault(answer, 403, /`read`/);
    const { id } = tree().inside;
    const { url } = expectData(await limited().json("POST", "/api/files/sign", { id }), signedData);
    expect((await send(server, "GET", `/${url}`)).text).toBe("inside");
  });

  test("replacing by a move needs `discard` or `delete` too", async () => {
    const folder = unique("replacing");
    const file = await a.put(`${folder}/from/x`, "new");
    const { folderId } = await a.put(`${folder}/to/x`, "old");
    const writer = await keyFor(folder, ["list", "write"]);
    const move = { folderId, onConflict: "replace" };
    for (const selected of [{ id: file.id }, { ids: [file.id] }]) {
      const answer = await writer.json("PUT", "/api/files", { ...selected, ...move });
      expectFault(answer, 403, /`discard`/);
    }
    expect((await a.get(`/api/hosting/${folder}/to/x`)).text).toBe("old");
    const mover = await keyFor(folder, ["list", "write", "delete"]);
    expect((await mover.json("PUT", "/api/files", { id: file.id, ...move })).status).toBe(200);
    expect((await a.get(`/api/hosting/${folder}/to/x`)).text).toBe("new");
  });

  test("lists, search and sizes are cut to the folder", async () => {
    const { top, inside, deep } = tree();
    const keys = (files: readonly FileShape[]) => files.map(({ key }) => key).sort();
    const expected = keys([inside, deep]);
    for (const orderBy of ["createdAt", "updatedAt", "name", "naturalName", "size", "type"]) {
      expect(keys(await limited().list(`?orderBy=${orderBy}`))).toEqual(expected);
    }
    expect(keys(await limited().list("?name=file.txt"))).toEqual([inside.key]);
    const digest = JSON.parse((await a.get(`/api/files/digest?id=${inside.id}`)).text).data.sha256;
    await a.put(`${unique("same")}/file.txt`, "inside");
    expect(keys(await limited().list(`?sha256=${digest}`))).toEqual([inside.key]);
    const first = expectData(await limited().get("/api/files?limit=1&cursor="), pageData);
    const second = expectData(
      await limited().get(`/api/files?limit=1&cursor=${first.nextCursor}`),
      pageData,
    );
    expect(keys([...first.files, ...second.files])).toEqual(expected);
    expect(second.nextCursor).toBeNull();
    expect(keys(await limited().list("?offset=1"))).toEqual([second.files[0]?.key ?? ""]);

    const found = expectData(await limited().get("/api/search?q=e"), searchData);
    expect(keys(found.files)).toEqual(expected);
    const ordered = "/api/search?q=e&orderBy=createdAt&limit=1&includeTotal=1";
    const latest = expectData(await limited().get(ordered), searchData);
    const { nextCursor, total } = latest;
    const rest = `/api/search?q=e&orderBy=createdAt&cursor=${nextCursor}`;
    const earlier = expectData(await limited().get(rest), searchData);
    expect(total).toBe(found.files.length + found.folders.length);
    const listed = keys([...latest.files, ...earlier.files]);
    expect(listed.toSorted()).toEqual(expected.toSorted());
    const folders = expectData(await limited().get("/api/search?q=in"), searchData).folders;
    expect(folders.map(({ key }) => key)).toEqual([`${top.key}/in`]);
    expect(expectData(await limited().get("/api/folders/size"), sizeData)).toEqual({
      files: 2,
      folders: 1,
      bytes: inside.size + deep.size,
    });
    const ids = `ids=${top.id}&ids=${deep.folderId}`;
    const sizes = expectData(await limited().get(`/api/folders/size?${ids}`), sizesData);
    expect(sizes.each).toEqual([
      { id: top.id, files: 2, folders: 1, bytes: inside.size + deep.size },
      { id: deep.folderId, files: 1, folders: 0, bytes: deep.size },
    ]);
  });

  test("a request that names no folder means the key's folder, which has no parent", async () => {
    const { top, inside } = tree();
    const view = expectData(await limited().get("/api/folders"), browseData);
    expect(view.folder).toEqual({ ...top, parentId: null });
    expect(view.files.map(({ key }) => key)).toEqual([inside.key]);
    expect(view.folders.map(({ key, parentId }) => [key, parentId])).toEqual([
      [`${top.key}/in`, top.id],
    ]);
    const shown = await limited().json("PUT", "/api/folders", {
      id: top.id,
      visibility: "private",
    });
    expect(expectData(shown, folderData).folder.parentId).toBeNull();
    const zip = unzip((await limited().get("/api/folders/download")).bytes);
    expect(zip.map(({ path }) => path).sort()).toEqual(
      ["", "file.txt", "in/", "in/deep.txt"].map((name) => `${top.key}/${name}`).sort(),
    );
    const uploaded = await limited().upload([filePart("new.txt", "x")]);
    expect(expectData(uploaded, filesData).files[0]?.key).toBe(`${top.key}/new.txt`);
  });

  test("uploads create missing folders, replace and refuse taken names", async () => {
    const { top, inside } = tree();
    const upload = (...parts: Parameters<ScopedClient["upload"]>[0]) => limited().upload(parts);
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
    const reader = await keyFor(tree().top.key, ["list", "read"]);
    for (const folder of [tree().top.key, inFolder(tree().sibling), ""]) {
      const { contentType, bytes } = multipart([field("folder", folder), filePart("n.txt", "x")]);
      const headers = { "API-Key": reader.secret, "Content-Type": contentType };
      expectFault(await send(server, "POST", "/api/files", headers, bytes), 403, /`write`/);
    }
  });

  test("the folder itself cannot be renamed, moved or deleted", async () => {
    const { top, deep } = tree();
    const change = (body: object) => limited().json("PUT", "/api/folders", { id: top.id, ...body });
    expectFault(await change({ name: "else" }), 403, /the folder itself/);
    expectFault(await change({ parentId: deep.folderId }), 403, /the folder itself/);
    expectFault(await change({ parentId: top.parentId }), 404);
    const removal = await limited().json("DELETE", "/api/folders", { id: top.id });
    expectFault(removal, 403, /the folder itself/);
    expectData(await change({ name: top.name }), folderData);
  });

  test("operations on the instance are forbidden, even with admin", async () => {
    const admin = await keyFor(tree().top.key, ["admin"]);
    expectFault(await admin.get("/api/settings"), 403, /limited to a folder/);
    expectFault(await admin.json("PUT", "/api/settings", { maxDeleteBatch: 1 }), 403);
    expect((await admin.list()).length).toBe(2);
  });
});
