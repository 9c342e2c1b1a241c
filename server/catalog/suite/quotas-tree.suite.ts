import { test } from "bun:test";
import fc from "fast-check";
import { isLongForm } from "../../../test/long-forms.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { folderAt } from "./catalog.fixture.ts";
import { expectRightQuotas } from "./quotas.fixture.ts";
import { TrashModel } from "./trash-model.ts";
import { aTrashStep, createTrashSteps } from "./trash-steps.ts";
import { clear } from "./tree-steps.ts";

/** In one run, which begins with an empty catalog. */
const STEPS = 40;
/** In all runs. */
const ALL_STEPS = Number(process.env.HOLDALL_QUOTA_STEPS ?? (isLongForm ? 5000 : 400));
const TIMEOUT_MS = Math.max(60_000, ALL_STEPS * 150);

/** Counts in every folder directly below the root from now on, without a limit. */
async function openQuotas(catalog: Catalog): Promise<void> {
  const { id: root } = await folderAt(catalog, "");
  for await (const folders of catalog.listFolders(COMMAND_EVERYWHERE, root)) {
    for (const { id } of folders) {
      const quota = await catalog.openQuota(id);
      if (!quota.isCounted) await catalog.recountQuota(id);
    }
  }
}

async function clearAll(catalog: Catalog): Promise<void> {
  await clear(catalog);
  const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000 });
  await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: items.map(({ id }) => id) });
  while (await catalog.emptyRemovedFolders(1000));
}

export function quotasTreeSuite(fixture: () => CatalogFixture): void {
  test(
    "the numbers of quotas are those of a recount after any sequence of changes",
    async () => {
      const { catalog } = fixture();
      const { id: root } = await folderAt(catalog, parseKey(""));
      const sequence = fc.array(aTrashStep, { minLength: STEPS, maxLength: STEPS });
      await fc.assert(
        fc.asyncProperty(sequence, async (steps) => {
          await clearAll(catalog);
          const run = createTrashSteps(catalog, new TrashModel(root));
          for (const step of steps) {
            await run.take(step);
            await expectRightQuotas(catalog);
            await openQuotas(catalog);
          }
        }),
        { numRuns: Math.ceil(ALL_STEPS / STEPS) },
      );
    },
    TIMEOUT_MS,
  );
}
