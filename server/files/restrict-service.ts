import type { FileTree, MeetsTaken } from "../catalog/port/file-tree.ts";
import type { Key, KeyAction } from "../domain/records.ts";
import { allows, forbidden, may, requireAction, type Scope } from "../domain/scope.ts";
import { chain } from "../lib/maybe-promise.ts";
import type { FileService } from "./file-service.ts";
import { type FolderSelector, findFile, findFolder, noSuchFile, noSuchFolder } from "./find.ts";
import { restrictTrash, restrictVersions } from "./trash/restrict-trash.ts";

/**
 * A service on `tree`, which is limited to the folders of the scope, with a check of the scope's
 * actions. What is outside is missing whatever the actions are, so what an operation is about is
 * looked up before an action is refused.
 */
export function restrictService(service: FileService, tree: FileTree, scope: Scope): FileService {
  /** Refuses an operation on a file or folder without the action: as missing, or as forbidden. */
  async function refuse(action: KeyAction, find: () => Promise<unknown>): Promise<void> {
    if (allows(scope, action)) return;
    await find();
    throw forbidden(action);
  }

  const folderBefore = (action: KeyAction, selector: FolderSelector): Promise<void> =>
    refuse(action, () => findFolder(tree, selector));

  async function requirePlace(folder: Key): Promise<void> {
    if (scope.folderIds.length === 0) return requireAction(scope, "write");
    const top = await tree.topFolder();
    const verdict = may(scope, "write", top?.key, folder);
    if (verdict === "outside") throw noSuchFolder();
    if (verdict === "forbidden") throw forbidden("write");
  }

  return {
    async find(selector, action = "list") {
      const file = await service.find(selector);
      requireAction(scope, action);
      return file;
    },
    async findFolder(selector) {
      const folder = await service.findFolder(selector);
      requireAction(scope, "list");
      return folder;
    },
    at: (key) =>
      chain(service.at(key), (file) => {
        if (file !== undefined) requireAction(scope, "read");
        return file;
      }),
    list(name, page) {
      requireAction(scope, "list");
      return service.list(name, page);
    },
    listByDigest(sha256, page) {
      requireAction(scope, "list");
      return service.listByDigest(sha256, page);
    },
    async beginUpload(expectedBytes) {
      requireAction(scope, "write");
      const upload = await service.beginUpload(expectedBytes);
      return {
        ...upload,
        async expectTarget(target) {
          await requirePlace(target.folder);
          await upload.expectTarget(target);
        },
      };
    },
    async change(change, trash) {
      for (const action of actionsOf(change)) {
        await refuse(action, () => findFile(tree, { id: change.id }));
      }
      return service.change(change, trash);
    },
    async changeMany(change, trash) {
      for (const action of actionsOf(change)) {
        await refuse(action, () => findAny(tree, change.ids));
      }
      return service.changeMany(change, trash);
    },
    async remove(ids, trash) {
      await refuse("delete", () => findAny(tree, ids));
      return service.remove(ids, trash);
    },
    copy: {
      async files(request, control) {
        for (const action of ["read", "write"] as const) {
          await refuse(action, () => findAll(tree, request.ids));
        }
        return service.copy.files(request, control);
      },
      async folder(request, control) {
        for (const action of ["list", "read", "write"] as const) {
          await folderBefore(action, { id: request.id });
        }
        return service.copy.folder(request, control);
      },
    },
    async sign(request) {
      const link = await service.sign(request);
      requireAction(scope, "share");
      // A key that may not read a file must not get a URL that reads it.
      requireAction(scope, "read");
      return link;
    },
    archive: {
      async folder(selector, signal, name) {
        await folderBefore("list", selector);
        await folderBefore("read", selector);
        return service.archive.folder(selector, signal, name);
      },
      async selection(selection, signal) {
        // Only permitted archives are planned: a plan takes memory that all archives share.
        for (const action of ["list", "read"] as const) {
          await refuse(action, () => service.archive.checkSelection(selection));
        }
        return service.archive.selection(selection, signal);
      },
      checkSelection: (selection) => service.archive.checkSelection(selection),
    },
    async browse(selector) {
      await folderBefore("list", selector);
      return service.browse(selector);
    },
    async measure(selector, signal) {
      await folderBefore("list", selector);
      return service.measure(selector, signal);
    },
    async measureAll(ids, signal) {
      for (const id of ids) await folderBefore("list", { id });
      return service.measureAll(ids, signal);
    },
    async folderVisibility(selector) {
      await folderBefore("list", selector);
      return service.folderVisibility(selector);
    },
    async countVisibility(selector) {
      await folderBefore("list", selector);
      return service.countVisibility(selector);
    },
    async search(request) {
      const { folderId } = request;
      if (folderId === undefined) requireAction(scope, "list");
      else await folderBefore("list", { id: folderId });
      return service.search(request);
    },
    async createFolder(key) {
      await requirePlace(key);
      return service.createFolder(key);
    },
    async changeFolder(change) {
      await folderBefore("write", { id: change.id });
      return service.changeFolder(change);
    },
    async removeFolder(id, trash) {
      await folderBefore("delete", { id });
      return service.removeFolder(id, trash);
    },
    trash: restrictTrash(service.trash, scope),
    versions: restrictVersions(service.versions, scope),
  };
}

/** A file that is replaced by a move is deleted. */
const actionsOf = ({ onConflict }: MeetsTaken): readonly KeyAction[] =>
  onConflict === "replace" ? ["write", "delete"] : ["write"];

/** Fault "not_found": none of the files exists. */
async function findAny(tree: FileTree, ids: readonly string[]): Promise<void> {
  for (const id of ids) if ((await tree.fileById(id)) !== undefined) return;
  throw noSuchFile();
}

/** Fault "not_found": one of the files does not exist. */
async function findAll(tree: FileTree, ids: readonly string[]): Promise<void> {
  for (const id of ids) await findFile(tree, { id });
}
