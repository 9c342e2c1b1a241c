import type { Files } from "../../files/files.ts";
import type { FolderSelector } from "../../files/find.ts";
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
    async browseFolder({ query, scope }) {
      const view = await files.within(scope).browse(folderSelector(query));
      const { files: page, nextCursor } = filePage(query, `in ${view.folder.id}`, view.files);
      return {
        folder: folderObject(view.folder),
        files: page,
        // The first page contains all subfolders.
        folders: isLaterPage(query) ? [] : mapBatches(view.folders(), folderObject),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },

    async downloadFolder({ query, request, scope }) {
      return sendArchive(
        await files.within(scope).archive.folder(folderSelector(query), request.signal),
        request,
      );
    },

    async measureFolder({ query, scope }) {
      return files.within(scope).measure(folderSelector(query));
    },

    async createFolder({ body, scope, actor }) {
      const folder = await files.within(scope, actor).createFolder(parseKey(body.folder));
      return { folder: folderObject(folder) };
    },

    async changeFolder({ body, scope, actor }) {
      const { id, name, visibility, parentId } = body;
      requireChange({ name, visibility, parentId });
      const folder = await files.within(scope, actor).changeFolder({
        id,
        ...(name === undefined ? {} : { name: parseName(name) }),
        ...(visibility === undefined ? {} : { visibility }),
        ...(parentId === undefined ? {} : { parentId }),
      });
      return { folder: folderObject(folder) };
    },

    async deleteFolder({ body, scope, actor }) {
      const { id, trash } = body;
      const undoId = await files.within(scope, actor).removeFolder(id, trash);
      return { deleted: [id], ...(undoId === undefined ? {} : { undoId }) };
    },
  };
}

interface FolderQuery {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  readonly path?: string | undefined;
}

function folderSelector({ id, key, path }: FolderQuery): FolderSelector {
  const paths = [key, path].filter((text) => text !== undefined);
  if (paths.length === 2 && parseKey(key ?? "") !== parseKey(path ?? "")) {
    throw new Fault(
      "invalid",
      "`path` is an alias of `key`: give only one of them, or equal values.",
    );
  }
  const [only] = paths;
  if (id === undefined) return only === undefined ? "top" : { key: only };
  if (paths.length > 0) throw new Fault("invalid", "Give either `id` or `key`, not both.");
  return { id };
}
