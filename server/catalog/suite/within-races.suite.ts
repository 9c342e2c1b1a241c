import { describe, expect, test } from "bun:test";
import type { Actor } from "../../domain/activity.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { isInFolder } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { Key, Name } from "../../domain/records.ts";
import type { FeedEntry } from "../../domain/tree-change.ts";
import type { Catalog } from "../port/catalog.ts";
import {
  type CatalogFixture,
  createUploader,
  everything,
  folderAt,
  limitedTo,
  listAll,
} from "./catalog.fixture.ts";

const LIMITED: Actor = { kind: "key", id: "limited", name: "limited" };
const ROUNDS = 40;

/** Operations within a folder, while others move it and move folders in and out. */
export function withinRacesSuite(fixture: () => CatalogFixture): void {
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(Math.random() * list.length)];
    if (found === undefined) throw new Error("The list is empty.");
    return found;
  };

  async function attempt(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const expected = ["not_found", "conflict", "invalid", "forbidden"];
      if (!(error instanceof Fault && expected.includes(error.kind))) throw error;
    }
  }

  /** The names of the folders that the tests use, in any place. */
  const anyKey = (): Key => {
    const depth = 1 + Math.floor(Math.random() * 3);
    const names = Array.from({ length: depth }, () => pick(["a", "b", "m", "out", "n"]));
    return parseKey(names.join("/"));
  };
  const anyName = (): Name => parseName(pick(["f", "g", "h", "m"]));

  async function readAll(catalog: Catalog, start: Awaited<ReturnType<Catalog["feedEnd"]>>) {
    const entries: FeedEntry[] = [];
    let position = start;
    for (;;) {
      const page = await catalog.changesAfter(position, 500);
      entries.push(...page);
      const last = page.at(-1);
      if (last === undefined) return entries;
      position = last.position;
    }
  }

  /** The keys that a change is about, before and after it. */
  function keysOf({ change }: FeedEntry): Key[] {
    const subject =
      "file" in change ? change.file.key : "folder" in change ? change.folder.key : change.key;
    return "fromKey" in change ? [change.fromKey, subject] : [subject];
  }

  describe("races within a folder", () => {
    test("nothing outside is ever listed, found or changed", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const folder of ["a", "a/m", "a/n", "out", "out/n", "ab"]) {
        await uploader.add(["f", "g", "x", "y"], { folder });
      }
      const never = new Set(
        (await listAll(catalog)).flatMap(({ id, key }) =>
          key.startsWith("ab/") || /^out\/[a-z]$/.test(key) ? [id] : [],
        ),
      );
      const ids = (await listAll(catalog)).map(({ id }) => id);
      const [top, moving, out] = await Promise.all(
        ["a", "a/m", "out"].map((key) => folderAt(catalog, key)),
      );
      if (top === undefined || moving === undefined || out === undefined) throw new Error();
      const root = await folderAt(catalog, "");
      const folderIds = [top, moving, out, root, await folderAt(catalog, "a/n")].map(
        ({ id }) => id,
      );
      const caller = { ...limitedTo([top.id]), actor: LIMITED };
      const start = await catalog.feedEnd();
      let isOver = false;

      async function move(): Promise<void> {
        for (let round = 0; round < ROUNDS; round += 1) {
          const parentId = pick([top?.id ?? "", out?.id ?? ""]);
          await attempt(
            catalog.changeFolder(COMMAND_EVERYWHERE, { id: moving?.id ?? "", parentId }),
          );
          await attempt(
            catalog.changeFolder(COMMAND_EVERYWHERE, {
              id: top?.id ?? "",
              name: parseName(pick(["a", "b"])),
              parentId: pick([root.id, out?.id ?? ""]),
            }),
          );
          // Another folder takes the key that the limit has left, and stays outside.
          await attempt(
            uploader.add(["f", "impostor"], { folder: pick(["a", "b", "out/a"]) }).then((added) => {
              for (const { id, folderId } of added) if (folderId !== top?.id) never.add(id);
            }),
          );
        }
      }

      async function change(): Promise<void> {
        const files = createUploader(catalog, "limited");
        while (!isOver) {
          const id = pick(ids);
          const steps: readonly (() => Promise<unknown>)[] = [
            () => catalog.changeFile(caller, { id, name: anyName() }),
            () => catalog.changeFile(caller, { id, folderId: pick(folderIds) }),
            () => catalog.changeFile(caller, { id, visibility: pick(["public", "private"]) }),
            () => catalog.changeFiles(caller, { ids: [id, pick(ids)], folderId: pick(folderIds) }),
            () => catalog.changeFiles(caller, { ids: [id, pick(ids)], visibility: "private" }),
            () => catalog.removeFiles(caller, [id, pick(ids), pick(ids)]),
            () => catalog.createFolder(caller, anyKey()),
            () => catalog.changeFolder(caller, { id: pick(folderIds), name: anyName() }),
            () => catalog.changeFolder(caller, { id: pick(folderIds), parentId: pick(folderIds) }),
            () => catalog.changeFolder(caller, { id: pick(folderIds), visibility: "private" }),
            async () => {
              const onConflict = pick(["refuse", "replace", "keepBoth", "skip"] as const);
              const folder = anyKey();
              const added = await files.add(["f", "new"], { folder, onConflict, caller });
              ids.push(...added.map((file) => file.id));
            },
            async () => {
              const folder = await catalog.folderByKey(caller, anyKey());
              if (folder !== undefined) await catalog.removeFolder(caller, folder.id);
            },
          ];
          await attempt(pick(steps)());
        }
      }

      async function read(): Promise<void> {
        while (!isOver) {
          // Lookups in SQLite take no turn of the event loop.
          await Bun.sleep(0);
          for await (const batch of catalog.listFiles(caller, {}, { ...everything, limit: 200 })) {
            for (const { id, key } of batch) {
              expect(never.has(id)).toBe(false);
              expect(key).toMatch(/^(out\/)?[ab]\//);
            }
          }
          for (const id of never) expect(await catalog.fileById(caller, id)).toBeUndefined();
          const found = await catalog.fileByKey(caller, parseKey("a/impostor"));
          expect(found?.folderId ?? top?.id).toBe(top?.id);
        }
      }

      const moves = move().finally(() => {
        isOver = true;
      });
      await Promise.all([moves, change(), change(), change(), read()]);
      let limit: Key = top.key;
      let checked = 0;
      for (const entry of await readAll(catalog, start)) {
        if (entry.actor.id === LIMITED.id) {
          for (const key of keysOf(entry)) {
            checked += 1;
            expect({ key, limit, isInside: isInFolder(key, limit) }).toMatchObject({
              isInside: true,
            });
          }
        }
        const { change: made } = entry;
        if (made.kind === "folder.moved" && isInFolder(limit, made.fromKey)) {
          limit = parseKey(made.folder.key + limit.slice(made.fromKey.length));
        }
      }
      expect(limit).toBe(
        (await catalog.folderById(COMMAND_EVERYWHERE, top.id))?.key ?? parseKey("?"),
      );
      expect(checked).toBeGreaterThan(10);
      for await (const defect of catalog.inspect()) expect(defect).toBeUndefined();
    });
  });
}
