import { describe, expect, test } from "bun:test";
import { type Caller, COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { DryRun, type DryRunReport } from "../../domain/dry-run.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import {
  type CatalogFixture,
  createUploader,
  DAY,
  expectFault,
  folderAt,
} from "./catalog.fixture.ts";
import { newLink } from "./links.fixture.ts";

const TRYING: Caller = { ...COMMAND_EVERYWHERE, isDryRun: true };

type Report = Partial<Omit<DryRunReport, "changes" | "links">> & {
  /** Kind, key and key before. */
  readonly changes: readonly string[];
  /** The keys of what they lead to. */
  readonly links?: readonly string[];
};

async function tryOut(work: Promise<unknown>): Promise<Report> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof DryRun)) throw error ?? new Error("The change was made.");
  const { changes, links, ...totals } = error.report;
  return {
    ...totals,
    changes: changes.map(({ kind, key, fromKey }) =>
      [kind, key, ...(fromKey === null ? [] : [fromKey])].join(" "),
    ),
    links: links.map(({ key }) => key),
  };
}

export function dryRunSuite(fixture: () => CatalogFixture): void {
  /** A tree with everything that changes are about. */
  async function plant() {
    const { catalog } = fixture();
    const uploader = createUploader(catalog);
    const add = (key: string, size: number) =>
      uploader.addOne(key.split("/").at(-1) ?? "", {
        folder: key.split("/").slice(0, -1).join("/"),
        size,
        onConflict: "replace",
        keepReplacedMs: DAY,
      });
    const a = await add("docs/a", 1);
    await add("docs/b", 2);
    const b = await add("docs/b", 4);
    const c = await add("docs/deep/c", 8);
    await add("other/a", 16);
    const gone = await add("docs/gone", 32);
    const { undoId } = await catalog.trashFiles(COMMAND_EVERYWHERE, {
      ids: [gone.id],
      keepMs: DAY,
    });
    await add("old/x", 64);
    const old = await folderAt(catalog, "old");
    const removed = await catalog.trashFolder(COMMAND_EVERYWHERE, { id: old.id, keepMs: DAY });
    const docs = await folderAt(catalog, "docs");
    const deep = await folderAt(catalog, "docs/deep");
    const other = await folderAt(catalog, "other");
    for (const subject of [
      { kind: "file", id: c.id },
      { kind: "folder", id: deep.id },
      { kind: "file", id: a.id },
    ] as const) {
      await catalog.addLink(newLink(subject));
    }
    const { versions } = await catalog.listVersions(COMMAND_EVERYWHERE, { fileId: b.id, limit: 9 });
    const version = versions[0]?.id ?? "";
    return { catalog, uploader, a, b, c, docs, deep, other, undoId, removed, version };
  }

  type Planted = Awaited<ReturnType<typeof plant>>;
  const copy = ({ uploader }: Planted) => ({
    owner: uploader.owner,
    blobs: [],
    onConflict: "keepBoth" as const,
  });

  const changes: [string, (planted: Planted) => Promise<unknown>, Report][] = [
    [
      "creates folders",
      ({ catalog }) => catalog.createFolder(TRYING, parseKey("new/deep")),
      { changes: ["folder.created new", "folder.created new/deep"], total: 2, files: 0 },
    ],
    [
      "renames a file",
      ({ catalog, a }) => catalog.changeFile(TRYING, { id: a.id, name: parseName("z") }),
      { changes: ["file.moved docs/z docs/a"], files: 1, bytes: 1, links: [] },
    ],
    [
      "moves a file onto another",
      ({ catalog, a, other }) =>
        catalog.changeFile(TRYING, { id: a.id, folderId: other.id, onConflict: "replace" }),
      {
        changes: ["file.deleted other/a", "file.moved other/a docs/a"],
        files: 2,
        bytes: 17,
        freedBytes: 16,
      },
    ],
    [
      "changes many files",
      ({ catalog, a, b }) =>
        catalog.changeFiles(TRYING, { ids: [a.id, b.id], visibility: "private" }),
      { changes: ["file.updated docs/a", "file.updated docs/b"], files: 2, bytes: 5 },
    ],
    [
      "copies files",
      (planted) => planted.catalog.copyFiles(TRYING, { ...copy(planted), ids: [planted.a.id] }),
      { changes: ["file.created docs/a (2)"], files: 1, bytes: 1, freedBytes: 0 },
    ],
    [
      "copies a folder",
      (planted) => planted.catalog.copyFolder(TRYING, { ...copy(planted), id: planted.docs.id }),
      { changes: expect.arrayContaining(["file.created docs (2)/deep/c"]), files: 3, bytes: 13 },
    ],
    [
      "renames a folder",
      ({ catalog, docs }) =>
        catalog.changeFolder(TRYING, { id: docs.id, name: parseName("papers") }),
      { changes: ["folder.moved papers docs"], files: 3, bytes: 13, links: [] },
    ],
    [
      "publishes and hides a folder",
      ({ catalog, docs }) => catalog.changeFolder(TRYING, { id: docs.id, visibility: "private" }),
      { changes: ["folder.updated docs"], files: 3, bytes: 13 },
    ],
    [
      "sets the defaults of a folder",
      ({ catalog, docs }) =>
        catalog.changeFolder(TRYING, { id: docs.id, defaultVisibility: "private", expireAfter: 9 }),
      { changes: ["folder.updated docs"] },
    ],
    [
      "deletes files",
      ({ catalog, a, b }) => catalog.removeFiles(TRYING, [a.id, b.id]),
      {
        changes: ["file.deleted docs/a", "file.deleted docs/b"],
        files: 2,
        bytes: 5,
        freedBytes: 7,
        links: ["docs/a"],
      },
    ],
    [
      "moves files to the trash",
      ({ catalog, a, c }) => catalog.trashFiles(TRYING, { ids: [a.id, c.id], keepMs: DAY }),
      { changes: ["file.deleted docs/a", "file.deleted docs/deep/c"], freedBytes: 0, bytes: 9 },
    ],
    [
      "deletes a folder",
      ({ catalog, docs }) => catalog.removeFolder(TRYING, docs.id),
      { changes: ["folder.deleted docs"], files: 3, bytes: 13, freedBytes: 15 },
    ],
    [
      "moves a folder to the trash",
      ({ catalog, deep }) => catalog.trashFolder(TRYING, { id: deep.id, keepMs: DAY }),
      {
        changes: ["folder.deleted docs/deep"],
        files: 1,
        bytes: 8,
        freedBytes: 0,
        links: ["docs/deep/c", "docs/deep"],
      },
    ],
    [
      "restores a file",
      ({ catalog, undoId = "" }) => catalog.restoreTrash(TRYING, { undoId }),
      { changes: ["file.restored docs/gone"], files: 1, bytes: 32 },
    ],
    [
      "restores a folder",
      ({ catalog, removed }) => catalog.restoreTrash(TRYING, { undoId: removed.undoId }),
      { changes: ["folder.restored old old"], files: 1, bytes: 64 },
    ],
    [
      "deletes a file in the trash",
      ({ catalog, undoId = "" }) => catalog.purgeTrash(TRYING, { undoId }),
      { changes: [], freedBytes: 32 },
    ],
    [
      "deletes a folder in the trash",
      ({ catalog, removed }) => catalog.purgeTrash(TRYING, { undoId: removed.undoId }),
      { changes: [], freedBytes: 64 },
    ],
    [
      "restores a version",
      ({ catalog, version }) => catalog.restoreVersion(TRYING, { id: version, keepMs: DAY }),
      { changes: ["file.replaced docs/b"], files: 1, bytes: 2, freedBytes: 0 },
    ],
    [
      "deletes versions",
      ({ catalog, version }) => catalog.removeVersions(TRYING, [version]),
      { changes: [], freedBytes: 2 },
    ],
  ];

  describe("a dry run", () => {
    test.each(changes)("%s and leaves everything as it was", async (_, work, expected) => {
      const planted = await plant();
      const before = await fixture().everything();
      expect(await tryOut(work(planted))).toMatchObject(expected);
      expect(await fixture().everything()).toEqual(before);
      // Nothing was kept in memory either, and no lock.
      await planted.catalog.createFolder(COMMAND_EVERYWHERE, parseKey("after"));
    });

    test("has the faults of the change", async () => {
      const { catalog, a } = await plant();
      const before = await fixture().everything();
      await expectFault(catalog.createFolder(TRYING, parseKey("docs")), "conflict");
      const taken = { id: a.id, name: parseName("b") };
      const error = await catalog.changeFile(TRYING, taken).catch((cause: unknown) => cause);
      expect(error).not.toBeInstanceOf(DryRun);
      expect(error).toMatchObject({ kind: "conflict" });
      expect(await fixture().everything()).toEqual(before);
    });

    test("is apart from changes that are made at the same time", async () => {
      const { catalog, a, uploader } = await plant();
      const made = ["x", "y", "z"].map((name) => uploader.addOne(name));
      const tried = tryOut(catalog.removeFiles(TRYING, [a.id]));
      const [report] = await Promise.all([tried, ...made]);
      expect(report.changes).toEqual(["file.deleted docs/a"]);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, a.id))?.id).toBe(a.id);
      expect((await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("z")))?.name).toBe(
        parseName("z"),
      );
    });
  });
}
