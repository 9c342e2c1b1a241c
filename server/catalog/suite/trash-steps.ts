import { expect } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault, type FaultKind } from "../../domain/faults/fault.ts";
import { parseKey, parseName, splitKey } from "../../domain/names/name.ts";
import { numberedFolderName, numberedName } from "../../domain/names/numbered-name.ts";
import type { FolderRecord, Visibility } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import { createUploader, DAY, folderAt, versionsOf } from "./catalog.fixture.ts";
import type { ModelFile, ModelItem, TrashModel } from "./trash-model.ts";

/* Random changes of the tree, the trash and the versions. */

const aName = fc.constantFrom("a", "a (2)", "b.c", "b (2).c");
/** An index into what there is. */
const aPick = fc.nat();
const somePicks = fc.array(aPick, { minLength: 1, maxLength: 3 });
/** Whether it is kept for no time. */
const expires = fc.boolean();

type Step =
  | { do: "folder"; pick: number; name: string }
  | { do: "file"; pick: number; name: string }
  | { do: "replace"; pick: number; keep: "expires" | "keeps" | undefined }
  | { do: "move"; pick: number; to: number; name: string }
  | { do: "default"; pick: number; visibility: Visibility | null }
  | { do: "remove"; pick: number }
  | { do: "trash"; picks: number[]; expires: boolean }
  | { do: "restore"; picks: number[] }
  | { do: "purge"; picks: number[] }
  | { do: "undo"; pick: number }
  | { do: "restoreVersion"; pick: number }
  | { do: "removeVersion"; pick: number }
  | { do: "expire" }
  | { do: "empty" };

export const aTrashStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("folder"), pick: aPick, name: aName }),
  fc.record({ do: fc.constant("file"), pick: aPick, name: aName }),
  fc.record({ do: fc.constant("file"), pick: aPick, name: aName }),
  fc.record({
    do: fc.constant("replace"),
    pick: aPick,
    keep: fc.constantFrom("expires", "keeps", undefined),
  }),
  fc.record({ do: fc.constant("move"), pick: aPick, to: aPick, name: aName }),
  fc.record({
    do: fc.constant("default"),
    pick: aPick,
    visibility: fc.constantFrom("public", "private", null),
  }),
  fc.record({ do: fc.constant("remove"), pick: aPick }),
  fc.record({ do: fc.constant("trash"), picks: somePicks, expires }),
  fc.record({ do: fc.constant("trash"), picks: somePicks, expires: fc.constant(false) }),
  fc.record({ do: fc.constant("restore"), picks: somePicks }),
  fc.record({ do: fc.constant("restore"), picks: somePicks }),
  fc.record({ do: fc.constant("undo"), pick: aPick }),
  fc.record({ do: fc.constant("purge"), picks: somePicks }),
  fc.record({ do: fc.constantFrom("restoreVersion", "removeVersion"), pick: aPick }),
  fc.record({ do: fc.constantFrom("expire", "empty") }),
);

const keepMs = (isExpiring: boolean): number => (isExpiring ? 0 : DAY);

export function createTrashSteps(catalog: Catalog, model: TrashModel) {
  const uploader = createUploader(catalog);
  const blobs: number[] = [];
  /** Different for each content, so that one is never counted in the place of another. */
  const nextSize = (): number => blobs.length + 1;

  const at = <T>(all: Iterable<T>, pick: number): T | undefined => {
    const list = [...all];
    return list[pick % list.length];
  };
  const pickFolder = (pick: number) => at(model.folders.values(), pick) ?? expect.unreachable();
  /** Anything but the root. */
  const nodeAt = (pick: number) =>
    at([...model.files.values(), ...[...model.folders.values()].slice(1)], pick);

  async function addFolder({ pick, name }: { pick: number; name: string }): Promise<void> {
    const { id: parent } = pickFolder(pick);
    const above = model.keyOf(parent);
    const made = catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${above}/${name}`));
    if (model.child(parent, name) !== undefined) return refused(made, "conflict");
    const { id } = await made;
    model.addFolder({ id, name, parent });
  }

  async function addFile({ pick, name }: { pick: number; name: string }): Promise<void> {
    const { id: parent } = pickFolder(pick);
    const folder = model.keyOf(parent);
    const file = await uploader.addOne(name, { folder, onConflict: "keepBoth", size: nextSize() });
    expect(`${file.name}`).toBe(model.freeName(parent, name));
    expect(file.visibility).toBe(model.inherited(parent) ?? "public");
    blobs.push(file.blobId);
    const { id, blobId: blob } = file;
    model.files.set(id, { id, name: file.name, parent, blob, versions: [] });
  }

  async function replace(pick: number, keep: "expires" | "keeps" | undefined): Promise<void> {
    const old = at(model.files.values(), pick);
    if (old === undefined) return;
    const wanted = {
      folder: model.keyOf(old.parent),
      onConflict: "replace" as const,
      size: nextSize(),
      ...(keep === undefined ? {} : { keepReplacedMs: keepMs(keep === "expires") }),
    };
    const { id, blobId } = await uploader.addOne(old.name, wanted);
    expect(id).toBe(old.id);
    blobs.push(blobId);
    if (keep !== undefined) old.versions.push({ blob: old.blob, expires: keep === "expires" });
    old.blob = blobId;
  }

  async function move(pick: number, to: number, name: string): Promise<void> {
    const node = nodeAt(pick);
    if (node === undefined) return;
    const { id } = node;
    const target = pickFolder(to).id;
    const isFolder = model.folders.has(id);
    const change = { id, name: parseName(name) };
    const moved = isFolder
      ? catalog.changeFolder(COMMAND_EVERYWHERE, { ...change, parentId: target })
      : catalog.changeFile(COMMAND_EVERYWHERE, { ...change, folderId: target });
    const isSame = node.parent === target && node.name === name;
    if (isFolder && model.isBelow(target, id)) return refused(moved, "invalid");
    if (!isSame && model.child(target, name) !== undefined) return refused(moved, "conflict");
    await moved;
    Object.assign(node, { parent: target, name });
  }

  async function setDefault(pick: number, visibility: Visibility | null): Promise<void> {
    const folder = pickFolder(pick);
    const set = catalog.changeFolder(COMMAND_EVERYWHERE, {
      id: folder.id,
      defaultVisibility: visibility,
    });
    if (folder.parent === null) return refused(set, "invalid");
    expect(await set).toMatchObject({ defaultVisibility: visibility });
    folder.default = visibility;
  }

  async function remove(pick: number): Promise<void> {
    const node = nodeAt(pick);
    if (node === undefined) return;
    if (model.folders.has(node.id)) await catalog.removeFolder(COMMAND_EVERYWHERE, node.id);
    else await catalog.removeFiles(COMMAND_EVERYWHERE, [node.id]);
    model.remove(node.id);
  }

  /** The folder that was picked first, or all files that were picked. */
  async function trash(picks: readonly number[], isExpiring: boolean): Promise<void> {
    const nodes = picks.flatMap((pick) => nodeAt(pick) ?? []);
    const [first] = nodes;
    if (first === undefined) return;
    if (model.folders.has(first.id)) {
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: first.id, keepMs: keepMs(isExpiring) });
      model.delete(first.id, isExpiring);
      return;
    }
    const ids = [...new Set(nodes.map(({ id }) => id))];
    const files = ids.filter((id) => model.files.has(id));
    const deleted = await catalog.trashFiles(COMMAND_EVERYWHERE, {
      ids,
      keepMs: keepMs(isExpiring),
    });
    expect(deleted.files.map(({ id }) => id)).toEqual(files);
    for (const id of files) model.delete(id, isExpiring);
  }

  async function restore(selection: { undoId: string } | { ids: string[] }, ids: string[]) {
    const { restored, failed } = await catalog.restoreTrash(COMMAND_EVERYWHERE, selection);
    expect(failed).toEqual([]);
    const keys = new Map(restored.map(({ id, key }) => [id, key]));
    const items = model.inOrder(ids);
    expect(restored.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort());
    const folders = await foldersByKey(catalog);
    for (const item of items) {
      const key = keys.get(item.id) ?? expect.unreachable();
      const name = splitKey(key)?.name ?? "";
      const made = (path: string): string => folders.get(path) ?? expect.unreachable(path);
      expect<string>(model.restore(item, name, made)).toBe(key);
    }
    for (const item of items) {
      const renamed = restored.find(({ id }) => id === item.id)?.renamed ?? expect.unreachable();
      expectName(model, item, renamed);
    }
  }

  const idsAt = (picks: readonly number[]): string[] => [
    ...new Set(picks.flatMap((pick) => at(model.trash.keys(), pick) ?? [])),
  ];

  async function undo(pick: number): Promise<void> {
    const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000 });
    const undoId = at(items, pick)?.undoId;
    if (undoId === undefined) return;
    const ofDeletion = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000, undoId });
    await restore(
      { undoId },
      ofDeletion.items.map(({ id }) => id),
    );
  }

  async function purge(picks: readonly number[]): Promise<void> {
    const ids = idsAt(picks);
    expect(await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids })).toEqual(ids);
    for (const id of ids) model.trash.delete(id);
  }

  async function changeVersion(pick: number, isRestored: boolean): Promise<void> {
    const file = at(
      [...model.files.values()].filter(({ versions }) => versions.length > 0),
      pick,
    );
    if (file === undefined) return;
    const version = at(await versionsOf(catalog, file.id), pick) ?? expect.unreachable();
    takeVersion(file, version.blobId);
    if (!isRestored) {
      expect(await catalog.removeVersions(COMMAND_EVERYWHERE, [version.id])).toEqual([version.id]);
      return;
    }
    const restored = await catalog.restoreVersion(COMMAND_EVERYWHERE, {
      id: version.id,
      keepMs: DAY,
    });
    file.versions.push({ blob: file.blob, expires: false });
    file.blob = version.blobId;
    expect(restored).toMatchObject({ id: file.id, blobId: version.blobId });
  }

  return {
    /** Of all contents that were ever stored. */
    blobs: (): readonly number[] => blobs,
    async take(step: Step): Promise<void> {
      if (step.do === "folder") await addFolder(step);
      else if (step.do === "file") await addFile(step);
      else if (step.do === "replace") await replace(step.pick, step.keep);
      else if (step.do === "move") await move(step.pick, step.to, step.name);
      else if (step.do === "default") await setDefault(step.pick, step.visibility);
      else if (step.do === "remove") await remove(step.pick);
      else if (step.do === "trash") await trash(step.picks, step.expires);
      else if (step.do === "restore") {
        const ids = idsAt(step.picks);
        await restore({ ids }, ids);
      } else if (step.do === "undo") await undo(step.pick);
      else if (step.do === "purge") await purge(step.picks);
      else if (step.do === "expire") {
        while (await catalog.expireTrash(2));
        model.expire();
      } else if (step.do === "empty") {
        while (await catalog.emptyRemovedFolders(2));
      } else await changeVersion(step.pick, step.do === "restoreVersion");
    },
  };
}

function takeVersion(file: ModelFile, blob: number): void {
  const index = file.versions.findIndex((version) => version.blob === blob);
  expect(index).toBeGreaterThanOrEqual(0);
  file.versions.splice(index, 1);
}

async function refused(work: Promise<unknown>, kind: FaultKind): Promise<void> {
  const outcome = await work.catch((cause: unknown) => cause);
  expect(outcome).toBeInstanceOf(Fault);
  expect(outcome).toMatchObject({ kind });
}

/** It has its name, or a numbered one since something else has that name. */
function expectName(model: TrashModel, { id, path }: ModelItem, renamed: boolean): void {
  const node = model.files.get(id) ?? model.folders.get(id) ?? expect.unreachable();
  const old = parseName(path.at(-1)?.name ?? "");
  expect(renamed).toBe(node.name !== old);
  if (!renamed) return;
  expect(model.child(node.parent ?? "", old)).toBeDefined();
  const withNumber = model.files.has(id) ? numberedName : numberedFolderName;
  const numbered = Array.from({ length: 50 }, (_, n) => `${withNumber(old, n + 2)}`);
  expect(numbered).toContain(node.name);
}

/** The ids of all folders in the tree. */
export async function foldersByKey(catalog: Catalog): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  const visit = async ({ id, key }: FolderRecord): Promise<void> => {
    folders.set(key, id);
    for await (const batch of catalog.listFolders(COMMAND_EVERYWHERE, id))
      await Promise.all(batch.map(visit));
  };
  await visit(await folderAt(catalog, ""));
  return folders;
}
