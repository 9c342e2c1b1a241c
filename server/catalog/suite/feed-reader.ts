import { createFeedTree, sortedContent, type TreeContent } from "../../../test/feed-tree.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { FolderRecord } from "../../domain/records.ts";
import { viewOf } from "../../feed/change-view.ts";
import { changeObject } from "../../http/api/handlers/changes.ts";
import { fileObject, folderObject } from "../../http/api/objects.ts";
import type { Catalog } from "../port/catalog.ts";
import { folderAt, listAll } from "./catalog.fixture.ts";

/** Everything in the catalog, read from its tables. */
export async function readContent(catalog: Catalog): Promise<TreeContent> {
  const folders: FolderRecord[] = [];
  const visit = async (folder: FolderRecord): Promise<void> => {
    folders.push(folder);
    for await (const batch of catalog.listFolders(COMMAND_EVERYWHERE, folder.id))
      await Promise.all(batch.map(visit));
  };
  await visit(await folderAt(catalog, ""));
  const files = (await listAll(catalog)).map(fileObject);
  return sortedContent({ files, folders: folders.map(folderObject) });
}

/** A copy of the tree that follows the feed from now on; nothing may change meanwhile. */
export async function startFeedReader(catalog: Catalog) {
  let position = await catalog.feedEnd();
  const tree = createFeedTree(await readContent(catalog));

  /** Reads what there is. */
  async function read(): Promise<TreeContent> {
    for (;;) {
      const entries = await catalog.changesAfter(position, 20);
      for (const { change, ...entry } of entries) {
        tree.apply(changeObject({ ...entry, view: viewOf(change) }, ""));
        position = entry.position;
      }
      if (entries.length === 0) return tree.content();
    }
  }

  return { read };
}
