import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { parseSha256 } from "../../domain/sha256.ts";
import { type CatalogFixture, createUploader, listAll } from "./catalog.fixture.ts";

const digestOf = (digit: string) => parseSha256(digit.repeat(64));

export function digestsSuite(fixture: () => CatalogFixture): void {
  describe("digests", () => {
    test("are stored with the file, replaced with its content, and kept by other changes", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a.txt", { sha256: digestOf("a") });
      expect(file.sha256).toBe(digestOf("a"));
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("f"));
      const change = {
        name: parseName("b.txt"),
        visibility: "private",
        folderId: folder.id,
      } as const;
      const changed = await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, ...change });
      expect(changed.sha256).toBe(digestOf("a"));
      const replacement = { onConflict: "replace", folder: "f" } as const;
      const replaced = await uploader.addOne("b.txt", { ...replacement, sha256: digestOf("b") });
      expect(replaced).toMatchObject({ id: file.id, sha256: digestOf("b") });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(replaced);
      expect((await uploader.addOne("b.txt", replacement)).sha256).toBeNull();
    });

    test("can be added later, once, and only to the same blob", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [older, other, replaced] = await uploader.add(["older", "other", "replaced"]);
      if (!older || !other || !replaced) throw new Error("No files.");
      const [current] = await uploader.add(["replaced"], { onConflict: "replace" });
      const digest = (file: typeof older, digit: string) => ({
        fileId: file.id,
        blobId: file.blobId,
        sha256: digestOf(digit),
      });
      await catalog.addDigests([digest(replaced, "c"), digest(older, "a")]);
      await catalog.addDigests([digest(older, "b"), { ...digest(other, "d"), fileId: "nobody" }]);
      await catalog.addDigests([]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, older.id)).toEqual({
        ...older,
        sha256: digestOf("a"),
      });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, other.id)).toEqual(other);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, replaced.id)).toEqual(current);
      const stored = await catalog.blobsAfter(older.blobId - 1, 1);
      expect(stored).toMatchObject([{ fileId: older.id, sha256: digestOf("a") }]);
    });

    test("find the files with that content", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = await uploader.add(["a", "b"], { sha256: digestOf("a"), folder: "x" });
      await uploader.addOne("c", { sha256: digestOf("c") });
      await uploader.addOne("d");
      expect(await listAll(catalog, { sha256: digestOf("a") })).toEqual(files);
      expect(await listAll(catalog, { sha256: digestOf("b") })).toEqual([]);
    });
  });
}
