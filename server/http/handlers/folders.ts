import type { Files } from "../../files/files.ts";
import type { Selector } from "../../files/find.ts";
import { Fault } from "../../rules/fault.ts";
import { parseKey, parseName } from "../../rules/name.ts";
import { mapBatches } from "../json-stream.ts";
import { folderObject } from "../objects.ts";
import type { SendArchive } from "../send-archive.ts";
import { requireChange } from "./files.ts";
import type { Handlers } from "./handler.ts";
import { filePage, isLaterPage } from "./page.ts";

export function folderHandlers(
  files: Files,
  sendArchive: SendArchive,
): Handlers<
  | "browseFolder"
  | "measureFolder"
  | "downloadFolder"
  | "createFolder"
  | "changeFolder"
  | "deleteFolder"
> {
  return {
    async browseFolder({ query }) {
      const view = await files.browse(folderSelector(query));
      const { files: page, nextCursor } = filePage(query, `in ${view.folder.id}`, view.files);
      return {
        folder: folderObject(view.folder),
        files: page,
        // The first page contains all subfolders.
        folders: isLaterPage(query) ? [] : mapBatches(view.folders(), folderObject),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },

    async downloadFolder({ query, request }) {
      return sendArchive(await files.archive.folder(folderSelector(query)), request);
    },

    async measureFolder({ query }) {
      return files.measure(folderSelector(query));
    },

    async createFolder({ body, actor }) {
      const folder = await files.by(actor).createFolder(parseKey(body.folder));
      return { folder: folderObject(folder) };
    },

    async changeFolder({ body, actor }) {
      const { id, name, visibility, parentId } = body;
      requireChange({ name, visibility, parentId });
      const folder = await files.by(actor).changeFolder({
        id,
        ...(name === undefined ? {} : { name: parseName(name) }),
        ...(visibility === undefined ? {} : { visibility }),
        ...(parentId === undefined ? {} : { parentId }),
      });
      return { folder: folderObject(folder) };
    },

    async deleteFolder({ body, actor }) {
      await files.by(actor).removeFolder(body.id);
      return { deleted: [body.id] };
    },
  };
}

interface FolderQuery {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  readonly path?: string | undefined;
}

function folderSelector({ id, key, path }: FolderQuery): Selector {
  const paths = [key, path].filter((text) => text !== undefined);
  if (paths.length === 2 && parseKey(key ?? "") !== parseKey(path ?? "")) {
    throw new Fault(
      "invalid",
      "`path` is an alias of `key`: give only one of them, or equal values.",
    );
  }
  if (id === undefined) return { key: paths[0] ?? "" };
  if (paths.length > 0) throw new Fault("invalid", "Give either `id` or `key`, not both.");
  return { id };
}
