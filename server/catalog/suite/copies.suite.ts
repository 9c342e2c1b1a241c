import { describe, expect, test } from "bun:test";
import { type Caller, COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { BlobId, FileRecord, MetadataText, Sha256 } from "../../domain/records.ts";
import type { BlobCopy, CopyOutcome, FilesCopy, FolderCopy } from "../port/copies.ts";
import {
  allKeys,
  type CatalogFixture,
  createUploader,
  expectFault,
  folderAt,
  limitedTo,
  versionsOf,
} from "./catalog.fixture.ts";
import { readContent, startFeedReader } from "./feed-reader.ts";
import { expectCondemned } from "./uploads.fixture.ts";

type Wanted<Input> = Partial<Input> & { readonly caller?: Caller } & Omit<
    Input,
    "blobs" | "owner" | "onConflict" | "keepReplacedMs"
  >;

export function copiesSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    const uploader = createUploader(catalog);

    /** Copies the blobs that are missing, as a server does, until the change is made. */
    async function complete<T>(
      commit: (blobs: readonly BlobCopy[]) => Promise<CopyOutcome<T>>,
    ): Promise<{ copied: T; blobs: readonly BlobCopy[] }> {
      const blobs: BlobCopy[] = [];
      for (;;) {
        const outcome = await commit(blobs);
        if ("copied" in outcome) return { copied: outcome.copied, blobs };
        for (const { blobId } of outcome.missing) {
          blobs.push({ from: blobId, to: await uploader.takeBlob() });
        }
      }
    }

    const base = {
      owner: uploader.owner,
      onConflict: "refuse",
      keepReplacedMs: undefined,
    } as const;
    const files = ({ caller = COMMAND_EVERYWHERE, ...wanted }: Wanted<FilesCopy>) =>
      complete((blobs) => catalog.copyFiles(caller, { ...base, ...wanted, blobs }));
    const folder = ({ caller = COMMAND_EVERYWHERE, ...wanted }: Wanted<FolderCopy>) =>
      complete((blobs) => catalog.copyFolder(caller, { ...base, ...wanted, blobs }));
    return { catalog, uploader, files, folder, base };
  };
  const idsOf = (files: readonly FileRecord[]): string[] => files.map(({ id }) => id);
  const keysOf = (files: readonly FileRecord[]): string[] => files.map(({ key }) => key);

  describe("copying files", () => {
    test("adds files of their own with the same content, in the order given", async () => {
      const { catalog, uploader, files } = parts();
      const feed = await startFeedReader(catalog);
      const metadata = '{"cacheControl":"no-cache"}' as MetadataText;
      const sha256 = "a".repeat(64) as Sha256;
      const one = await uploader.addOne("a.png", {
        folder: "from",
        visibility: "private",
        mimeType: "image/png",
        size: 7,
        metadata,
        sha256,
      });
      const two = await uploader.addOne("b", { folder: "other" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to"));
      const { id: folderId } = await folderAt(catalog, "to");
      const { copied, blobs } = await files({ ids: [two.id, one.id], folderId });
      expect(keysOf(copied)).toEqual(["to/b", "to/a.png"]);
      const [, copy] = copied;
      expect(copy).toEqual({
        ...one,
        id: copy?.id ?? "",
        folderId,
        key: parseKey("to/a.png"),
        blobId: blobs.find(({ from }) => from === one.blobId)?.to ?? one.blobId,
        createdAt: copy?.createdAt ?? 0,
        modifiedAt: copy?.createdAt ?? 0,
        updatedAt: copy?.createdAt ?? 0,
      });
      expect(copy?.id).not.toBe(one.id);
      expect(copy?.blobId).not.toBe(one.blobId);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, one.id)).toEqual(one);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, copy?.id ?? "")).toEqual(copy);
      expect(await feed.read()).toEqual(await readContent(catalog));
    });

    test("changes nothing before all contents are copied, and says which are missing", async () => {
      const { catalog, uploader, base } = parts();
      const [one, two] = [await uploader.addOne("a"), await uploader.addOne("b", { size: 3 })];
      const copy = { ...base, ids: [one.id, two.id], onConflict: "keepBoth" } as const;
      const blobs = [{ from: one.blobId, to: await uploader.takeBlob() }];
      expect(await catalog.copyFiles(COMMAND_EVERYWHERE, { ...copy, blobs })).toEqual({
        missing: [{ blobId: two.blobId, size: 3 }],
      });
      expect(await allKeys(catalog)).toEqual(["a", "b"]);
    });

    test("without a folder, each copy is next to its file", async () => {
      const { catalog, uploader, files } = parts();
      const one = await uploader.addOne("a.txt", { folder: "x" });
      const two = await uploader.addOne("a.txt", { folder: "y" });
      const { copied } = await files({ ids: [one.id, two.id], onConflict: "keepBoth" });
      expect(keysOf(copied)).toEqual(["x/a (2).txt", "y/a (2).txt"]);
      const again = await files({ ids: [one.id], onConflict: "keepBoth" });
      expect(keysOf(again.copied)).toEqual(["x/a (3).txt"]);
      expect(await allKeys(catalog)).toHaveLength(5);
    });

    test("a new name may change the media type", async () => {
      const { uploader, files } = parts();
      const file = await uploader.addOne("a.txt");
      const { copied } = await files({ ids: [file.id], name: parseName("b.png") });
      expect(copied).toMatchObject([{ key: "b.png", mimeType: "image/png" }]);
    });

    test("a taken name is a conflict before any content is copied", async () => {
      const { catalog, uploader, base } = parts();
      const file = await uploader.addOne("a", { folder: "from" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to/a"));
      const { id: folderId } = await folderAt(catalog, "to");
      const copy = { ...base, blobs: [], ids: [file.id] };
      await expectFault(
        catalog.copyFiles(COMMAND_EVERYWHERE, { ...copy, folderId }),
        "conflict",
        'folder named "a"',
      );
      await expectFault(catalog.copyFiles(COMMAND_EVERYWHERE, copy), "conflict", 'file named "a"');
      await expectFault(
        catalog.copyFiles(COMMAND_EVERYWHERE, { ...copy, onConflict: "replace" }),
        "conflict",
        "cannot replace itself",
      );
    });

    test("files of the same name from two folders are a conflict, or numbered, or skipped", async () => {
      const { catalog, uploader, files } = parts();
      const ids: string[] = [];
      for (const folder of ["x", "y", "z"]) {
        ids.push((await uploader.addOne("a.txt", { folder })).id);
      }
      await uploader.addOne("a (2).txt", { folder: "to" });
      const { id: folderId } = await folderAt(catalog, "to");
      await expectFault(files({ ids, folderId }), "conflict", "given twice");
      const both = await files({ ids, folderId, onConflict: "keepBoth" });
      expect(keysOf(both.copied)).toEqual(["to/a.txt", "to/a (3).txt", "to/a (4).txt"]);
      const skipped = await files({ ids, folderId, onConflict: "skip" });
      expect(skipped.copied).toEqual([]);
    });

    test("replacing keeps the id and a version, and never shows private content", async () => {
      const { catalog, uploader, files } = parts();
      const secret = await uploader.addOne("a", { folder: "from", visibility: "private", size: 9 });
      const open = await uploader.addOne("b", { folder: "from", size: 8 });
      const a = await uploader.addOne("a", { folder: "to" });
      const b = await uploader.addOne("b", { folder: "to", visibility: "private" });
      const { copied } = await files({
        ids: [secret.id, open.id],
        folderId: a.folderId,
        onConflict: "replace",
        keepReplacedMs: 60_000,
      });
      expect(copied).toMatchObject([
        { id: a.id, visibility: "private", size: 9 },
        { id: b.id, visibility: "private", size: 8 },
      ]);
      expect(await versionsOf(catalog, a.id)).toHaveLength(1);
    });

    test("copies of contents that are not used are condemned", async () => {
      const { catalog, uploader, base } = parts();
      const file = await uploader.addOne("a", { folder: "from" });
      const taken = await uploader.addOne("a", { folder: "to" });
      const [to, stale] = [await uploader.takeBlob(), await uploader.takeBlob()];
      const outcome = await catalog.copyFiles(COMMAND_EVERYWHERE, {
        ...base,
        ids: [file.id],
        folderId: taken.folderId,
        onConflict: "skip",
        blobs: [
          { from: file.blobId, to },
          { from: taken.blobId, to: stale },
        ],
      });
      expect(outcome).toEqual({ copied: [] });
      await expectCondemned(catalog, [to, stale]);
    });

    test("unknown files, folders and lost leases fail as a whole", async () => {
      const { catalog, uploader, files, base } = parts();
      const file = await uploader.addOne("a");
      await expectFault(files({ ids: [file.id, "nobody"] }), "not_found", "nobody");
      await expectFault(files({ ids: [file.id], folderId: "nowhere" }), "not_found", "copy to");
      const blobs = [{ from: file.blobId, to: await uploader.takeBlob() }];
      const copy = { ...base, ids: [file.id], blobs, onConflict: "keepBoth" } as const;
      await expectFault(
        catalog.copyFiles(COMMAND_EVERYWHERE, { ...copy, owner: "another" }),
        "unavailable",
      );
      expect(await allKeys(catalog)).toEqual(["a"]);
    });

    test("nothing outside the limit is read or written", async () => {
      const { catalog, uploader, files } = parts();
      const inside = await uploader.addOne("a", { folder: "in" });
      const outside = await uploader.addOne("b", { folder: "out" });
      const caller = limitedTo([inside.folderId]);
      const both = { caller, ids: [inside.id, outside.id], onConflict: "keepBoth" } as const;
      await expectFault(files(both), "not_found", outside.id);
      const away = { caller, ids: [inside.id], folderId: outside.folderId };
      await expectFault(files(away), "not_found", "copy to");
      expect(await allKeys(catalog)).toEqual(["in/a", "out/b"]);
    });
  });

  describe("copying a folder", () => {
    test("copies everything in it, empty folders too, under a free name", async () => {
      const { catalog, uploader, folder } = parts();
      const feed = await startFeedReader(catalog);
      await uploader.add(["a", "b"], { folder: "p", visibility: "private" });
      await uploader.addOne("c", { folder: "p/q/r", size: 5 });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("p/empty"));
      const { id } = await folderAt(catalog, "p");
      await expectFault(folder({ id }), "conflict", 'folder named "p"');
      const { copied } = await folder({ id, onConflict: "keepBoth" });
      expect(copied).toMatchObject({ added: 3, replaced: 0, skipped: 0, bytes: 7 });
      expect(copied.folder).toEqual(await folderAt(catalog, "p (2)"));
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("p (2)/empty"))).toBeDefined();
      expect(await allKeys(catalog)).toEqual(
        ["p (2)/a", "p (2)/b", "p (2)/q/r/c", "p/a", "p/b", "p/q/r/c"].sort(),
      );
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("p (2)/a"))).toMatchObject({
        visibility: "private",
      });
      expect(await feed.read()).toEqual(await readContent(catalog));
    });

    test("keeps the default visibility of every folder, and takes over the inherited one", async () => {
      const { catalog, folder } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("p/q/r"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to"));
      const { id } = await folderAt(catalog, "p");
      const { id: sub } = await folderAt(catalog, "p/q");
      const { id: parentId } = await folderAt(catalog, "to");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: sub, defaultVisibility: "private" });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: parentId, defaultVisibility: "public" });
      await folder({ id, parentId });
      const expected = [
        ["to/p", null, "public"],
        ["to/p/q", "private", "private"],
        ["to/p/q/r", null, "private"],
      ] as const;
      for (const [key, defaultVisibility, inheritedVisibility] of expected) {
        expect(await folderAt(catalog, key)).toMatchObject({
          defaultVisibility,
          inheritedVisibility,
        });
      }
    });

    test("into itself, the copy has what was there before", async () => {
      const { catalog, uploader, folder } = parts();
      await uploader.addOne("a", { folder: "p/q" });
      const { id } = await folderAt(catalog, "p");
      const { id: parentId } = await folderAt(catalog, "p/q");
      await folder({ id, parentId });
      expect(await allKeys(catalog)).toEqual(["p/q/a", "p/q/p/q/a"]);
    });

    test("onto an existing folder, replaces or skips its files, but not itself", async () => {
      const { catalog, uploader, folder } = parts();
      await uploader.add(["a", "b"], { folder: "p/s", size: 4 });
      const kept = await uploader.addOne("a", { folder: "to/p/s" });
      await uploader.addOne("other", { folder: "to/p" });
      const { id } = await folderAt(catalog, "p");
      const { id: parentId } = await folderAt(catalog, "to");
      const skip = await folder({ id, parentId, onConflict: "skip" });
      expect(skip.copied).toMatchObject({ added: 1, replaced: 0, skipped: 1, bytes: 4 });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, kept.id)).toEqual(kept);
      const replace = await folder({ id, parentId, onConflict: "replace" });
      expect(replace.copied).toMatchObject({ added: 0, replaced: 2, skipped: 0, bytes: 8 });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, kept.id)).toMatchObject({
        key: "to/p/s/a",
        size: 4,
      });
      expect(await allKeys(catalog)).toContain("to/p/other");
      await expectFault(folder({ id, onConflict: "replace" }), "conflict", "onto itself");
      await uploader.addOne("file", { folder: "to" });
      const name = parseName("file");
      await expectFault(
        folder({ id, parentId, name, onConflict: "skip" }),
        "conflict",
        "file named",
      );
    });

    test("a file that takes the name of a subfolder is a conflict, and nothing changes", async () => {
      const { catalog, uploader, folder } = parts();
      await uploader.addOne("a", { folder: "p/s" });
      await uploader.addOne("s", { folder: "to/p" });
      const before = await allKeys(catalog);
      const { id } = await folderAt(catalog, "p");
      const { id: parentId } = await folderAt(catalog, "to");
      await expectFault(folder({ id, parentId, onConflict: "replace" }), "conflict", '"s"');
      expect(await allKeys(catalog)).toEqual(before);
    });

    test("files that appear or change meanwhile are asked for", async () => {
      const { catalog, uploader, base } = parts();
      const file = await uploader.addOne("a", { folder: "p" });
      const { id } = await folderAt(catalog, "p");
      const copy = { ...base, id, name: parseName("copy") };
      const blobs = [{ from: file.blobId, to: await uploader.takeBlob() }];
      const [next] = await uploader.add(["a"], { folder: "p", onConflict: "replace" });
      const later = await uploader.addOne("b", { folder: "p/new" });
      const missing = [next, later].map((each) => ({ blobId: each?.blobId as BlobId, size: 1 }));
      const outcome = await catalog.copyFolder(COMMAND_EVERYWHERE, { ...copy, blobs });
      expect(
        "missing" in outcome && [...outcome.missing].sort((a, b) => a.blobId - b.blobId),
      ).toEqual(missing.sort((a, b) => a.blobId - b.blobId));
    });

    test("the root, unknown folders and keys that are too long are refused", async () => {
      const { catalog, uploader, folder } = parts();
      const root = await folderAt(catalog, "");
      await expectFault(folder({ id: root.id }), "invalid", "root");
      await expectFault(folder({ id: "nobody" }), "not_found");
      await uploader.addOne("a", { folder: "p/b" });
      const { id } = await folderAt(catalog, "p");
      await expectFault(folder({ id, parentId: "nowhere" }), "not_found", "copy to");
      const deep = Array.from({ length: 126 }, () => "d").join("/");
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(deep));
      const { id: parentId } = await folderAt(catalog, deep);
      await expectFault(folder({ id, parentId }), "invalid");
    });

    test("nothing outside the limit is read or written", async () => {
      const { catalog, uploader, folder } = parts();
      await uploader.addOne("a", { folder: "in/sub" });
      await uploader.addOne("b", { folder: "out" });
      const [top, sub, out] = await Promise.all(
        ["in", "in/sub", "out"].map((key) => folderAt(catalog, key)),
      );
      const caller = limitedTo([top?.id ?? ""]);
      await expectFault(folder({ caller, id: out?.id ?? "" }), "not_found");
      const away = { caller, id: sub?.id ?? "", parentId: out?.id };
      await expectFault(folder(away), "not_found", "copy to");
      // The parent of the top folder is outside.
      await expectFault(folder({ caller, id: top?.id ?? "" }), "not_found", "copy to");
      await folder({ caller, id: sub?.id ?? "", onConflict: "keepBoth" });
      expect(await allKeys(catalog)).toEqual(["in/sub (2)/a", "in/sub/a", "out/b"]);
    });
  });

  test("copies and moves of the same folder at once leave a consistent tree", async () => {
    const { catalog, uploader, files, folder } = parts();
    const feed = await startFeedReader(catalog);
    const made = await uploader.add(["a", "b", "c"], { folder: "p/s" });
    const { id } = await folderAt(catalog, "p");
    const { id: sub } = await folderAt(catalog, "p/s");
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => folder({ id, onConflict: "keepBoth" })),
      files({ ids: idsOf(made), folderId: id, onConflict: "keepBoth" }),
      catalog.changeFolder(COMMAND_EVERYWHERE, { id: sub, name: parseName("t") }),
      catalog.removeFiles(COMMAND_EVERYWHERE, [made[0]?.id ?? ""]),
    ]);
    for (const each of outcomes) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ kind: "not_found" });
    }
    expect(await feed.read()).toEqual(await readContent(catalog));
    expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
  });
}
