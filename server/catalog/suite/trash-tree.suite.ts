import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isLongForm } from "../../../test/long-forms.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { listAll, versionsOf } from "./catalog.fixture.ts";
import { TrashModel } from "./trash-model.ts";
import { aTrashStep, createTrashSteps, foldersByKey } from "./trash-steps.ts";
import { clear } from "./tree-steps.ts";

/** In one run, which begins with an empty catalog. */
const STEPS = 50;
/** In all runs. */
const ALL_STEPS = Number(process.env.HOLDALL_TRASH_STEPS ?? (isLongForm ? 5000 : 300));
const TIMEOUT_MS = Math.max(60_000, ALL_STEPS * 100);

/** Everything that is in the tree, by id: its key, and the content of files. */
async function treeOf(catalog: Catalog): Promise<Map<string, string>> {
  const tree = new Map<string, string>();
  for (const { id, key, blobId } of await listAll(catalog)) tree.set(id, `${key} ${blobId}`);
  for (const [key, id] of await foldersByKey(catalog)) tree.set(id, key);
  return tree;
}

function treeOfModel(model: TrashModel): Map<string, string> {
  const tree = new Map<string, string>();
  for (const { id } of model.folders.values()) tree.set(id, model.keyOf(id));
  for (const { id, blob } of model.files.values()) tree.set(id, `${model.keyOf(id)} ${blob}`);
  return tree;
}

async function versionBlobs(catalog: Catalog, model: TrashModel): Promise<Map<string, number[]>> {
  const versions = new Map<string, number[]>();
  for (const id of model.files.keys()) {
    versions.set(id, (await versionsOf(catalog, id)).map(({ blobId }) => Number(blobId)).sort());
  }
  return versions;
}

/** Both have the same, and every blob is either stored or condemned. */
async function compare(catalog: Catalog, model: TrashModel, blobs: readonly number[]) {
  expect(await treeOf(catalog)).toEqual(treeOfModel(model));
  const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000 });
  expect(new Map(items.map(({ id, key }) => [id, key]))).toEqual(
    new Map([...model.trash.values()].map((item) => [item.id, model.keyOfPlace(item)])),
  );
  const expected = [...model.files.values()].map(
    ({ id, versions }) => [id, versions.map(({ blob }) => blob).sort()] as const,
  );
  expect(await versionBlobs(catalog, model)).toEqual(new Map(expected));
  const stored = (await catalog.blobsAfter(-1, 10_000)).map(({ blobId }) => Number(blobId));
  expect(stored).toEqual(model.blobs());
  while (await catalog.emptyRemovedFolders(100));
  const condemned = (await catalog.condemnedBlobs(10_000)).map(Number);
  expect([...stored, ...condemned].sort()).toEqual(blobs.toSorted());
  const kept = [...model.trash.values()].flatMap(({ files }) => files);
  expect(await catalog.trashTotals(COMMAND_EVERYWHERE)).toMatchObject({
    items: items.length,
    files: kept.length,
  });
  expect((await catalog.storedTotals()).files).toBe(stored.length);
  expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
}

async function clearAll(catalog: Catalog): Promise<void> {
  await clear(catalog);
  const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000 });
  await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: items.map(({ id }) => id) });
  while (await catalog.emptyRemovedFolders(1000));
  for (;;) {
    const condemned = await catalog.condemnedBlobs(1000);
    if (condemned.length === 0) return;
    await catalog.forgetCondemnedBlobs(condemned);
  }
}

export function trashTreeSuite(fixture: () => CatalogFixture): void {
  describe("the tree, the trash and the versions", () => {
    test(
      "match a simple model after any sequence of changes",
      async () => {
        const { catalog } = fixture();
        const root = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(""));
        const sequence = fc.array(aTrashStep, { minLength: STEPS, maxLength: STEPS });
        await fc.assert(
          fc.asyncProperty(sequence, async (steps) => {
            await clearAll(catalog);
            const model = new TrashModel(root?.id ?? "");
            const run = createTrashSteps(catalog, model);
            for (const step of steps) await run.take(step);
            await compare(catalog, model, run.blobs());
          }),
          { numRuns: Math.ceil(ALL_STEPS / STEPS) },
        );
      },
      TIMEOUT_MS,
    );
  });
}
