import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { changeMetadata } from "../../semantics/file-metadata.ts";
import { type CatalogFixture, createUploader, DAY, versionsOf } from "./catalog.fixture.ts";
import { createObjects } from "./objects.fixture.ts";

const declared = "shift_jis";

export function charsetsSuite(fixture: () => CatalogFixture): void {
  /** A file with a declared charset. */
  async function declare(path: string): Promise<FileRecord> {
    const { catalog } = fixture();
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("b"));
    const objects = createObjects(catalog);
    const { file } = await objects.newObject(path);
    return objects.put(path, { file: { ...file, charset: declared } });
  }

  const found = ({ id: fileId, blobId, mimeType, metadata }: FileRecord, charset: string) => ({
    fileId,
    blobId,
    mimeType,
    metadata,
    charset,
  });

  describe("charsets", () => {
    test("that were declared stay through renames, moves, the trash and copies", async () => {
      const { catalog } = fixture();
      const file = await declare("b/a.txt");
      const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("b/to"));
      const change = { id: file.id, name: parseName("b.md"), folderId: folder.id };
      expect((await catalog.changeFile(COMMAND_EVERYWHERE, change)).charset).toBe(declared);
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [file.id], keepMs: DAY });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id] });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toMatchObject({
        charset: declared,
      });
      const uploader = createUploader(catalog);
      const copy = {
        ids: [file.id],
        folderId: file.folderId,
        owner: "tester",
        onConflict: "refuse",
        blobs: [{ from: file.blobId, to: await uploader.takeBlob() }],
      } as const;
      expect(await catalog.copyFiles(COMMAND_EVERYWHERE, copy)).toMatchObject({
        copied: [{ charset: declared }],
      });
    });

    test("go with their content into versions, and come back with it", async () => {
      const { catalog } = fixture();
      const file = await declare("b/a.txt");
      const replace = { folder: "b", onConflict: "replace", keepReplacedMs: DAY } as const;
      const replaced = await createUploader(catalog).addOne("a.txt", replace);
      expect(replaced).toMatchObject({ id: file.id, charset: null });
      const [version] = await versionsOf(catalog, file.id);
      expect(version?.charset).toBe(declared);
      await catalog.restoreVersion(COMMAND_EVERYWHERE, { id: version?.id ?? "", keepMs: DAY });
      expect((await catalog.fileById(COMMAND_EVERYWHERE, file.id))?.charset).toBe(declared);
    });

    test("that were found are added once, and only to the same content", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a.txt");
      const other = await uploader.addOne("b.txt");
      await catalog.addCharset({ ...found(file, "+"), blobId: other.blobId });
      await catalog.addCharset({ ...found(file, "+"), fileId: other.id });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, other.id)).toEqual(other);
      await catalog.addCharset(found(file, "+"));
      await catalog.addCharset(found(file, ""));
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual({
        ...file,
        charset: "+",
      });
      const given = await declare("b/a.txt");
      await catalog.addCharset(found(given, "+"));
      expect(await catalog.fileById(COMMAND_EVERYWHERE, given.id)).toEqual(given);
    });

    test("that were found are added to a version, by its id or that of its file", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a.txt");
      const replace = { onConflict: "replace", keepReplacedMs: DAY } as const;
      const second = await uploader.addOne("a.txt", replace);
      await uploader.addOne("a.txt", replace);
      const [later, earlier] = await versionsOf(catalog, file.id);
      await catalog.addCharset(found(file, ""));
      await catalog.addCharset({ ...found(second, "+"), fileId: later?.id ?? "" });
      expect(await versionsOf(catalog, file.id)).toEqual([
        { ...later, charset: "+" },
        { ...earlier, charset: "" },
      ] as Awaited<ReturnType<typeof versionsOf>>);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, file.id))?.charset).toBeNull();
    });

    test("that were found with another type or coding are not added", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const before = await uploader.addOne("a.txt");
      const renamed = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: before.id,
        name: parseName("a.html"),
      });
      await catalog.addCharset(found(before, "+"));
      expect(await catalog.fileById(COMMAND_EVERYWHERE, before.id)).toMatchObject({
        charset: null,
      });
      const metadata = { contentEncoding: "gzip" };
      const coded = await catalog.changeFile(COMMAND_EVERYWHERE, { id: before.id, metadata });
      await catalog.addCharset(found(renamed, ""));
      expect(await catalog.fileById(COMMAND_EVERYWHERE, before.id)).toMatchObject({
        charset: null,
      });
      await catalog.addCharset(found(coded, "+"));
      expect(await catalog.fileById(COMMAND_EVERYWHERE, before.id)).toMatchObject({ charset: "+" });
      expect(coded.metadata).toBe(changeMetadata(null, metadata));
    });

    test("that were found do not outlast a change of type or coding, and declared ones do", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a.txt");
      const rename = { name: parseName("a.html") };
      const recode = { metadata: { contentEncoding: "gzip" } };
      for (const change of [rename, recode]) {
        const current = await catalog.fileById(COMMAND_EVERYWHERE, file.id);
        if (current === undefined) throw new Error("The file is missing.");
        await catalog.addCharset(found(current, "+"));
        expect((await catalog.fileById(COMMAND_EVERYWHERE, file.id))?.charset).toBe("+");
        expect(
          (await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, ...change })).charset,
        ).toBeNull();
      }
      const given = await declare("b/a.txt");
      for (const change of [rename, recode]) {
        expect(
          (await catalog.changeFile(COMMAND_EVERYWHERE, { id: given.id, ...change })).charset,
        ).toBe(declared);
      }
    });
  });
}
