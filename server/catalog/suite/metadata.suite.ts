import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { changeMetadata } from "../../semantics/file-metadata.ts";
import { MAX_METADATA_BYTES } from "../../semantics/metadata-limits.ts";
import { type CatalogFixture, createUploader, expectFault, tick } from "./catalog.fixture.ts";

const gzipped = changeMetadata(null, { contentEncoding: "gzip", "x-a": "1" });
const plain = changeMetadata(null, { "x-a": "1" });

export function metadataSuite(fixture: () => CatalogFixture): void {
  describe("metadata", () => {
    test("comes with a new file, and other changes keep it", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a", { metadata: gzipped });
      expect(file.metadata).toBe(gzipped);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("f"));
      const change = { name: parseName("b"), visibility: "private", folderId: folder.id } as const;
      const changed = await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, ...change });
      expect(changed).toMatchObject({ metadata: gzipped, modifiedAt: file.modifiedAt });
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("f/b"))).toEqual(changed);
    });

    test("is changed field by field, and removed", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a", { metadata: plain });
      await tick();
      const metadata = { cacheControl: "no-store", "x-a": "2" };
      const changed = await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, metadata });
      expect(changed).toEqual({
        ...file,
        metadata: changeMetadata(null, metadata),
        updatedAt: changed.updatedAt,
      });
      expect(changed.updatedAt).toBeGreaterThan(file.updatedAt);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(changed);
      expect(await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, metadata })).toEqual(
        changed,
      );
      const uncached = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        metadata: { cacheControl: null },
      });
      expect(uncached.modifiedAt).toBe(file.modifiedAt);
      const cleared = await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, metadata: null });
      expect(cleared.metadata).toBeNull();
      expect(cleared.modifiedAt).toBeGreaterThan(file.modifiedAt);
      const full = { "x-a": "a".repeat(MAX_METADATA_BYTES) };
      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, metadata: full }),
        "invalid",
        "too long",
      );
    });

    test("another content coding changes modifiedAt, and new content drops the coding", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a", { metadata: plain });
      const coded = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        metadata: { contentEncoding: "gzip" },
      });
      expect(coded.metadata).toBe(gzipped);
      expect(coded.modifiedAt).toBeGreaterThan(file.modifiedAt);
      const replace = { onConflict: "replace" } as const;
      expect((await uploader.addOne("a", replace)).metadata).toBe(plain);
      const given = await uploader.addOne("a", { ...replace, metadata: gzipped });
      expect(given.metadata).toBe(gzipped);
      expect((await uploader.addOne("a", { ...replace, metadata: null })).metadata).toBeNull();
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toMatchObject({ metadata: null });
    });
  });
}
