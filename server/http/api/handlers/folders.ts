import type { folderOperations } from "../../../../contract/operations/folders.ts";
import { MAX_MEASURED_FOLDERS } from "../../../../contract/queries.ts";
import type {
  FolderDefault,
  FolderVisibility as FolderVisibilityObject,
} from "../../../../contract/types/folders.ts";
import { Fault } from "../../../domain/fault.ts";
import { parseKey, parseName } from "../../../domain/names/name.ts";
import type { FolderRecord } from "../../../domain/records.ts";
import type { Files } from "../../../files/files.ts";
import type { FolderSelector, FolderView } from "../../../files/find.ts";
import type { FolderVisibility } from "../../../files/folder-visibility.ts";
import { mapBatches } from "../../connection/json-stream.ts";
import type { SendArchive } from "../../hosting/send-archive.ts";
import { folderObject, peekedFolderObject } from "../objects.ts";
import { requireChange } from "./files.ts";
import type { Handlers } from "./handler.ts";
import { filePage, isLaterPage } from "./page.ts";

export function folderHandlers(
  files: Files,
  sendArchive: SendArchive,
): Handlers<keyof typeof folderOperations> {
  return {
    async browseFolder({ query, scope }) {
      const view = await files.within(scope).browse(folderSelector(query));
      const { files: page, nextCursor } = filePage(query, `in ${view.folder.id}`, view.files);
      return {
        folder: folderObject(view.folder),
        files: page,
        // The first page contains all subfolders.
        folders: isLaterPage(query) ? [] : subfolders(view, query.peek === "1"),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },

    async downloadFolder({ query, request, scope }) {
      return sendArchive(
        await files.within(scope).archive.folder(folderSelector(query), request.signal),
        request,
      );
    },

    async measureFolder({ query, request, scope }) {
      const { ids, ...selector } = query;
      const { signal } = request;
      if (ids === undefined) return files.within(scope).measure(folderSelector(selector), signal);
      if (Object.values(selector).some((value) => value !== undefined)) {
        throw new Fault("invalid", "Give either `ids` or one folder, not both.");
      }
      if (ids.length > MAX_MEASURED_FOLDERS) {
        throw new Fault("invalid", `\`ids\` may be repeated ${MAX_MEASURED_FOLDERS} times.`);
      }
      const { each, ...sum } = await files.within(scope).measureAll(ids, signal);
      return { ...sum, each: each.map(({ key: _key, ...folder }) => folder) };
    },

    async readFolderVisibility({ query, scope }) {
      const view = await files.within(scope).folderVisibility(folderSelector(query));
      return {
        folder: folderVisibilityObject(view),
        folders: view.subfolders.map(folderDefaultObject),
      };
    },

    async countVisibility({ query, scope }) {
      const { files: counted, folders } = await files
        .within(scope)
        .countVisibility(folderSelector(query));
      return { files: { ...counted }, folders: { ...folders } };
    },

    async createFolder({ body, scope, actor }) {
      const folder = await files.within(scope, actor).createFolder(parseKey(body.folder));
      return { folder: folderObject(folder) };
    },

    async changeFolder({ body, scope, actor }) {
      const { id, name, visibility, parentId, defaultVisibility, onConflict } = body;
      requireChange({ name, visibility, parentId, defaultVisibility });
      const folder = await files.within(scope, actor).changeFolder({
        id,
        onConflict,
        ...(name === undefined ? {} : { name: parseName(name) }),
        ...(visibility === undefined ? {} : { visibility }),
        ...(parentId === undefined ? {} : { parentId }),
        ...(defaultVisibility === undefined ? {} : { defaultVisibility }),
      });
      return { folder: folderObject(folder) };
    },

    async copyFolder({ request, body, scope, actor, requireStillAuthenticated }) {
      const { id, parentId, name, onConflict = "refuse" } = body;
      const { folder, ...counts } = await files
        .within(scope, actor)
        .copy.folder(
          { id, parentId, name: name === undefined ? undefined : parseName(name), onConflict },
          { signal: request.signal, beforeCommit: requireStillAuthenticated },
        );
      return { folder: folderObject(folder), ...counts };
    },

    async deleteFolder({ body, scope, actor }) {
      const { id, trash } = body;
      const undoId = await files.within(scope, actor).removeFolder(id, trash);
      return { deleted: [id], ...(undoId === undefined ? {} : { undoId }) };
    },
  };
}

const subfolders = (view: FolderView, withPeek: boolean) =>
  withPeek
    ? mapBatches(view.foldersWithPeek(), peekedFolderObject)
    : mapBatches(view.folders(), folderObject);

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

/* The default visibility of folders as API objects. Folder objects have only the contract's fields. */

function folderVisibilityObject({
  folder,
  effectiveVisibility,
  inheritedFrom,
}: FolderVisibility): FolderVisibilityObject {
  const { id, key, defaultVisibility } = folder;
  return {
    id,
    key,
    defaultVisibility,
    effectiveVisibility,
    inheritedFrom:
      inheritedFrom === undefined ? null : { id: inheritedFrom.id, key: inheritedFrom.key },
  };
}

function folderDefaultObject({ id, key, defaultVisibility }: FolderRecord): FolderDefault {
  if (defaultVisibility === null) throw new Error("A folder without a default was listed.");
  return { id, key, defaultVisibility };
}
