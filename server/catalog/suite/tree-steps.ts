import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { Visibility } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import { createUploader, folderAt, listAll } from "./catalog.fixture.ts";
import { readContent } from "./feed-reader.ts";
import { createTreeModel, type Outcome } from "./tree-model.ts";

/* Random changes of the tree. */

// Few names, so that they meet often, and such as a careless prefix or pattern would mix up.
const aName = fc.constantFrom("a", "ab", "a_b", "a%", "a0", "é😀");
const aPath = fc.array(aName, { maxLength: 3 }).map((names) => names.join("/"));
const aVisibility = fc.constantFrom<Visibility>("public", "private");
/** An index into the existing paths. */
const aPick = fc.nat();

export type Step =
  | { do: "create"; path: string }
  | { do: "add"; path: string; names: string[]; visibility: Visibility; onConflict: OnConflict }
  | { do: "rename"; pick: number; name: string }
  | { do: "move"; pick: number; to: number; name: string | undefined }
  | { do: "show"; pick: number; visibility: Visibility }
  | { do: "default"; pick: number; visibility: Visibility | null }
  | { do: "remove"; pick: number };

export const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("create"), path: aPath }),
  fc.record({
    do: fc.constant("add"),
    path: aPath,
    names: fc.array(aName, { minLength: 1, maxLength: 2 }),
    visibility: aVisibility,
    onConflict: fc.constantFrom("refuse", "replace", "keepBoth", "skip"),
  }),
  fc.record({ do: fc.constant("rename"), pick: aPick, name: aName }),
  fc.record({
    do: fc.constant("move"),
    pick: aPick,
    to: aPick,
    name: fc.option(aName, { nil: undefined }),
  }),
  fc.record({ do: fc.constant("show"), pick: aPick, visibility: aVisibility }),
  fc.record({
    do: fc.constant("default"),
    pick: aPick,
    visibility: fc.option(aVisibility, { nil: null }),
  }),
  fc.record({ do: fc.constant("remove"), pick: aPick }),
);

/** Runs a step on the catalog and on the model. Returns both outcomes. */
export async function take(
  catalog: Catalog,
  model: ReturnType<typeof createTreeModel>,
  step: Step,
): Promise<[Outcome, Outcome]> {
  if (step.do === "create") {
    const made = catalog.createFolder(COMMAND_EVERYWHERE, parseKey(step.path));
    return [await outcome(made), model.createFolder(step.path)];
  }
  if (step.do === "add") {
    const { path, names, visibility, onConflict } = step;
    const added = createUploader(catalog).add(names, { folder: path, visibility, onConflict });
    return [await outcome(added), model.addFiles(path, names, visibility, onConflict)];
  }
  const paths = [...model.nodes().keys()];
  const path = paths[step.pick % paths.length] ?? "";
  const folder = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(path));
  const file = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey(path));
  const id = (folder ?? file)?.id ?? "nobody";
  if (step.do === "rename") {
    const change = { id, name: parseName(step.name) };
    const renamed = folder
      ? catalog.changeFolder(COMMAND_EVERYWHERE, change)
      : catalog.changeFile(COMMAND_EVERYWHERE, change);
    return [await outcome(renamed), model.rename(path, step.name)];
  }
  if (step.do === "move") {
    const target = paths[step.to % paths.length] ?? "";
    const to = (await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(target)))?.id ?? "nobody";
    const change = { id, ...(step.name === undefined ? {} : { name: parseName(step.name) }) };
    const moved = folder
      ? catalog.changeFolder(COMMAND_EVERYWHERE, { ...change, parentId: to })
      : catalog.changeFile(COMMAND_EVERYWHERE, { ...change, folderId: to });
    return [await outcome(moved), model.move(path, target, step.name)];
  }
  if (step.do === "show") {
    const change = { id, visibility: step.visibility };
    const shown = folder
      ? catalog.changeFolder(COMMAND_EVERYWHERE, change)
      : catalog.changeFile(COMMAND_EVERYWHERE, change);
    return [await outcome(shown), model.setVisibility(path, step.visibility)];
  }
  if (step.do === "default") {
    const set = catalog.changeFolder(COMMAND_EVERYWHERE, {
      id,
      defaultVisibility: step.visibility,
    });
    return [await outcome(set), model.setDefault(path, step.visibility)];
  }
  const gone = folder
    ? catalog.removeFolder(COMMAND_EVERYWHERE, id)
    : catalog.removeFiles(COMMAND_EVERYWHERE, [id]);
  return [await outcome(gone), model.remove(path)];
}

/** Steps among those of others: each may be refused. */
export async function takeAll(catalog: Catalog, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { files, folders } = await readContent(catalog);
    const seen = createTreeModel();
    for (const { key } of folders) seen.createFolder(key);
    for (const { key, visibility } of files) {
      const at = key.lastIndexOf("/");
      seen.addFiles(key.slice(0, Math.max(at, 0)), [key.slice(at + 1)], visibility, "refuse");
    }
    await take(catalog, seen, step);
  }
}

async function outcome(work: Promise<unknown>): Promise<Outcome> {
  try {
    await work;
    return "done";
  } catch (cause) {
    if (cause instanceof Fault) return cause.kind;
    throw cause;
  }
}

/** Removes everything but the root. */
export async function clear(catalog: Catalog): Promise<void> {
  const root = await folderAt(catalog, "");
  const folders = (await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, root.id))).flat();
  for (const { id } of folders) await catalog.removeFolder(COMMAND_EVERYWHERE, id);
  await catalog.removeFiles(
    COMMAND_EVERYWHERE,
    (await listAll(catalog)).map(({ id }) => id),
  );
}
