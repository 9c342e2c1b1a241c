import type {
  FolderDefault,
  FolderVisibility as FolderVisibilityObject,
} from "../../../../contract/api.ts";
import type { folderOperations } from "../../../../contract/operations/folders.ts";
import { MAX_MEASURED_FOLDERS } from "../../../../contract/queries.ts";
import { expiryOf } from "../../../access/authenticate.ts";
import { type Ref, selectorOf } from "../../../domain/callers/ref.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../../domain/names/name.ts";
import type { FolderRecord } from "../../../domain/records.ts";
import type { Files } from "../../../files/files.ts";
import type { FolderSelector, FolderView } from "../../../files/find.ts";
import type { FolderVisibility } from "../../../files/folder-visibility.ts";
import { mapBatches } from "../../connection/json-stream.ts";
import type { SendArchive } from "../../hosting/send-archive.ts";
import type { DescribeFiles } from "../describe-file.ts";
import {
  branchingFolderObject,
  folderObject,
  peekedFolderObject,
  signedUrlObject,
} from "../objects.ts";
import { requireChange } from "./files.ts";
import { givenRef, givenTarget } from "./given-refs.ts";
import type { Handlers } from "./handler.ts";
import { filePage, isLaterPage, requirePage } from "./page.ts";

export function folderHandlers(
  files: Files,
  sendArchive: SendArchive,
  describeFiles: DescribeFiles,
): Handlers<keyof typeof folderOperations> {
  const { look } = files;
  return {
    async browseFolder({ query, caller, authorize }) {
      const describe = describeFiles(query.include);
      const selector = folderSelector(query);
      requirePage(query);
      const reader = await authorize(() => look.folder(caller, selector));
      const view = await files.browse(reader, selector);
      const list = `in ${view.folder.id}`;
      const { files: page, nextCursor } = filePage(query, list, view.files, describe);
      return {
        folder: folderObject(view.folder),
        files: page,
        // The first page contains all subfolders.
        folders: isLaterPage(query) ? [] : subfolders(view, query),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },

    async downloadFolder({ query, request, caller, authorize }) {
      const selector = folderSelector(query);
      const reader = await authorize(() => look.folder(caller, selector));
      return sendArchive(await files.archive.folder(reader, selector, request.signal), request);
    },

    async measureFolder({ query, request, caller, authorize }) {
      const { ids, ...one } = query;
      const { signal } = request;
      if (ids === undefined) {
        const selector = folderSelector(one);
        const reader = await authorize(() => look.folder(caller, selector));
        return files.measure(reader, selector, signal);
      }
      if (Object.values(one).some((value) => value !== undefined)) {
        throw new Fault("invalid", "Give either `ids` or one folder, not both.");
      }
      if (ids.length > MAX_MEASURED_FOLDERS) {
        throw new Fault("invalid", `\`ids\` may be repeated ${MAX_MEASURED_FOLDERS} times.`);
      }
      const reader = await authorize(() => look.allFolders(caller, ids));
      const { each, ...sum } = await files.measureAll(reader, ids, signal);
      return { ...sum, each: each.map(({ key: _key, ...folder }) => folder) };
    },

    async readFolderVisibility({ query, caller, authorize }) {
      const selector = folderSelector(query);
      const reader = await authorize(() => look.folder(caller, selector));
      const view = await files.folderVisibility(reader, selector);
      return {
        folder: folderVisibilityObject(view),
        folders: view.subfolders.map(folderDefaultObject),
      };
    },

    async countVisibility({ query, caller, authorize }) {
      const selector = folderSelector(query);
      const reader = await authorize(() => look.folder(caller, selector));
      const { files: counted, folders } = await files.countVisibility(reader, selector);
      return { files: { ...counted }, folders: { ...folders } };
    },

    async createFolder({ body, caller, authorize }) {
      const key = parseKey(body.folder);
      const writer = await authorize(() => look.destination(caller, key));
      const folder = await files.createFolder(writer, key);
      return { folder: folderObject(folder) };
    },

    async changeFolder({ body, caller, authorize }) {
      const { name, visibility, defaultVisibility, expireAfter, onConflict } = body;
      const parentId = parentOf(body);
      requireChange({ name, visibility, parentId, defaultVisibility, expireAfter });
      const change = {
        id: folderOf(body),
        onConflict,
        ...(name === undefined ? {} : { name: parseName(name) }),
        ...(visibility === undefined ? {} : { visibility }),
        ...(parentId === undefined ? {} : { parentId }),
        ...(defaultVisibility === undefined ? {} : { defaultVisibility }),
        ...(expireAfter === undefined ? {} : { expireAfter }),
      };
      const writer = await authorize(() => look.folder(caller, selectorOf(change.id)));
      const folder = await files.changeFolder(writer, change);
      return { folder: folderObject(folder) };
    },

    async copyFolder({ request, body, caller, authorize, requireStillAuthenticated }) {
      const { name, onConflict = "refuse" } = body;
      const wanted = {
        id: folderOf(body),
        parentId: parentOf(body),
        name: name === undefined ? undefined : parseName(name),
        onConflict,
      };
      const { folder, ...counts } = await files.copy.folder(
        await authorize(() => look.folder(caller, selectorOf(wanted.id))),
        wanted,
        { signal: request.signal, beforeCommit: requireStillAuthenticated },
      );
      return { folder: folderObject(folder), ...counts };
    },

    async signFolder({ body, identity, caller, authorize }) {
      const lifetime = { expiresIn: body.expiresIn, notAfter: expiryOf(identity) };
      const ref = folderOf(body);
      const signer = await authorize(() => files.sign.checkFolder(caller, ref, lifetime));
      return signedUrlObject(await files.sign.folder(signer, ref, lifetime));
    },

    async deleteFolder({ body, caller, authorize }) {
      const ref = folderOf(body);
      const remover = await authorize(() => look.folder(caller, selectorOf(ref)));
      const { id, undoId } = await files.removeFolder(remover, ref, body.trash);
      return { deleted: [id], ...(undoId === undefined ? {} : { undoId }) };
    },
  };
}

interface SubfolderOptions {
  readonly peek?: "0" | "1" | undefined;
  readonly hasFolders?: "0" | "1" | undefined;
}

function subfolders(view: FolderView, { peek, hasFolders }: SubfolderOptions) {
  if (peek === "1") {
    if (hasFolders !== "1") return mapBatches(view.foldersWithPeek(), peekedFolderObject);
    throw new Fault("invalid", "Give either `peek` or `hasFolders`, not both.");
  }
  return hasFolders === "1"
    ? mapBatches(view.foldersWithFolders(), branchingFolderObject)
    : mapBatches(view.folders(), folderObject);
}

interface FolderFields {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  readonly folder?: string | undefined;
}

/** Fault "invalid": not exactly one is given, or a key is empty. */
export function folderOf({ id, key, folder }: FolderFields): Ref {
  if (key !== undefined && folder !== undefined && parseKey(key) !== parseKey(folder)) {
    throw new Fault("invalid", "`folder` is an alias of `key`: give only one of them.");
  }
  return givenRef({ id, key: key ?? folder }, "a folder");
}

const parentOf = ({
  parentId,
  parent,
}: {
  readonly parentId?: string | undefined;
  readonly parent?: string | undefined;
}) => givenTarget({ id: parentId, key: parent }, ["parentId", "parent"]);

interface FolderQuery {
  readonly id?: string | undefined;
  readonly folder?: string | undefined;
  readonly key?: string | undefined;
  readonly path?: string | undefined;
}

export function folderSelector({ id, folder, key, path }: FolderQuery): FolderSelector {
  const paths = [folder, key, path].filter((text) => text !== undefined);
  if (new Set(paths.map(parseKey)).size > 1) {
    throw new Fault(
      "invalid",
      "`folder`, `key` and `path` name the same: give only one of them, or equal values.",
    );
  }
  const [only] = paths;
  if (id === undefined) return only === undefined ? "top" : { key: only };
  if (paths.length > 0) throw new Fault("invalid", "Give either `id` or `folder`, not both.");
  return { id };
}

/* The default visibility of folders as API objects. Folder objects have only the contract's fields. */

function folderVisibilityObject({
  folder,
  effectiveVisibility,
  inheritedFrom,
}: FolderVisibility): FolderVisibilityObject {
  const { id, key, defaultVisibility, expireAfter, inheritedExpireAfter } = folder;
  return {
    id,
    key,
    defaultVisibility,
    effectiveVisibility,
    inheritedFrom:
      inheritedFrom === undefined ? null : { id: inheritedFrom.id, key: inheritedFrom.key },
    expireAfter,
    effectiveExpireAfter: inheritedExpireAfter === 0 ? null : inheritedExpireAfter,
  };
}

function folderDefaultObject({ id, key, defaultVisibility }: FolderRecord): FolderDefault {
  if (defaultVisibility === null) throw new Error("A folder without a default was listed.");
  return { id, key, defaultVisibility };
}
