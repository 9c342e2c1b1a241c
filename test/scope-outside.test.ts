import { describe, expect, test } from "bun:test";
import { unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { field, filePart } from "./multipart.ts";
import { inFolder, MISSING_ID, ofFile, requestNames, requests } from "./scope-file-requests.ts";
import { startScopedServer } from "./scope-server.ts";
import { batchData, fileData } from "./shapes.ts";

const { a, keyFor, tree, limited, sendRaw } = await startScopedServer();

describe("outside the folder of a key", () => {
  test.each(requestNames)("%s: byte for byte like something missing", async (name) => {
    for (const file of [tree().sibling, tree().other]) {
      const missing = {
        id: MISSING_ID,
        folderId: MISSING_ID,
        key: file.key.replace(/^./, "~"),
        folder: inFolder(file).replace(/^./, "~"),
      };
      for (const client of [limited(), await keyFor(tree().top.key, ["keys"])]) {
        const answers = [];
        for (const [subject, request] of [
          [file, ofFile(file)[name][1]],
          [missing, requests(missing)[name][1]],
        ] as const) {
          const { status, received } = await sendRaw(client, request);
          expect(status).toBe(404);
          // The message of a zip names the id that it was given.
          const text = received.toString("latin1").replace(/^(?:date|x-request-id): .*$/gim, "");
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
      `/api/files?id=${tree().atRoot.id}`,
    ]) {
      expectFault(await limited().get(path), 404);
    }
  });

  test("nothing can be uploaded or created, whether it exists or not", async () => {
    const { top, sibling, inside } = tree();
    const targets = ["", "/", inFolder(sibling), unique("new"), `${top.key}0`, `${top.key}-`];
    const messages = new Set<string>();
    for (const target of targets) {
      for (const parts of [
        [field("folder", target), filePart("file.txt", "x")],
        [filePart("file.txt", "x"), field("folder", target)],
        [field("onConflict", "replace"), field("folder", target), filePart("file.txt", "x")],
      ]) {
        messages.add(expectFault(await limited().upload(parts), 404));
      }
      const made = await limited().json("POST", "/api/folders", { folder: `${target}/x` });
      messages.add(expectFault(made, 404));
    }
    expect(messages.size).toBe(1);
    expect((await a.browse("")).folders.map(({ name }) => name)).not.toContain(`${top.key}-`);
    expect(await a.file(sibling.id)).toEqual(sibling);
    expect(await a.file(inside.id)).toEqual(inside);
  });

  test("a public file is served at its URL as to anyone, but is missing for the API", async () => {
    const shown = await a.put(`${unique("shown")}/file.txt`, "public");
    expect((await limited().get(`/${shown.url}`)).text).toBe("public");
    expectFault(await limited().get(`/api/files/download/${shown.id}`), 404);
  });

  test("a file or folder cannot be moved in or out", async () => {
    const { top, inside, deep, sibling } = tree();
    const move = (body: object) => limited().json("PUT", "/api/files", body);
    const moveFolder = (body: object) => limited().json("PUT", "/api/folders", body);
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
    const { inside, sibling, other, deep } = tree();
    const ids = [sibling.id, inside.id, MISSING_ID, other.id];
    const result = expectData(await limited().json("DELETE", "/api/files", { ids }), batchData);
    expect(result.deleted).toEqual([inside.id]);
    expect(result.failed.map(({ id }) => id)).toEqual([sibling.id, MISSING_ID, other.id]);
    expect(new Set(result.failed.map(({ message }) => message)).size).toBe(1);
    expect(await a.file(sibling.id)).toEqual(sibling);
    const mixed = await limited().json("POST", "/api/files/download", { ids: [deep.id, other.id] });
    expectFault(mixed, 404);
  });
});
