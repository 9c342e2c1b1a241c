import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { FolderRecord, Visibility } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { folderAt, listAll } from "./catalog.fixture.ts";
import { readContent, startFeedReader } from "./feed-reader.ts";
import { createTreeModel } from "./tree-model.ts";
import { aStep, clear, take, takeAll } from "./tree-steps.ts";

async function treeOf(catalog: Catalog): Promise<Map<string, Visibility | "folder">> {
  const tree = new Map<string, Visibility | "folder">();
  for (const file of await listAll(catalog)) tree.set(file.key, file.visibility);
  const visit = async (folder: FolderRecord): Promise<void> => {
    tree.set(folder.key, "folder");
    for await (const batch of catalog.listFolders(COMMAND_EVERYWHERE, folder.id))
      await Promise.all(batch.map(visit));
  };
  await visit(await folderAt(catalog, ""));
  return tree;
}

async function inheritedOf(catalog: Catalog): Promise<Map<string, Visibility | null>> {
  const found = new Map<string, Visibility | null>();
  const visit = async ({ id, key, inheritedVisibility }: FolderRecord): Promise<void> => {
    found.set(key, inheritedVisibility);
    for await (const batch of catalog.listFolders(COMMAND_EVERYWHERE, id))
      await Promise.all(batch.map(visit));
  };
  await visit(await folderAt(catalog, ""));
  return found;
}

export function treeSuite(fixture: () => CatalogFixture): void {
  describe("the tree", () => {
    test("matches a simple model after any sequence of changes", async () => {
      const { catalog } = fixture();
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { maxLength: 25 }), async (steps) => {
          // A failed run leaves its tree, and shrinking needs an empty one.
          await clear(catalog);
          const model = createTreeModel();
          const feed = await startFeedReader(catalog);
          for (const step of steps) {
            const [is, shouldBe] = await take(catalog, model, step);
            expect(is).toBe(shouldBe);
          }
          expect(await treeOf(catalog)).toEqual(new Map(model.nodes()));
          expect(await inheritedOf(catalog)).toEqual(model.inherited());
          expect(await feed.read()).toEqual(await readContent(catalog));
          expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
        }),
        { numRuns: 60 },
      );
    });

    test("is what the change feed says after concurrent changes", async () => {
      const { catalog } = fixture();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(aStep, { minLength: 10, maxLength: 20 }), {
            minLength: 6,
            maxLength: 6,
          }),
          async (lanes) => {
            await clear(catalog);
            const feed = await startFeedReader(catalog);
            let changing = true;
            const following = (async () => {
              while (changing) {
                await feed.read();
                await Bun.sleep(1);
              }
            })();
            await Promise.all(lanes.map((steps) => takeAll(catalog, steps)));
            changing = false;
            await following;
            expect(await feed.read()).toEqual(await readContent(catalog));
            expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
          },
        ),
        { numRuns: 4, endOnFailure: true },
      );
    });
  });
}
