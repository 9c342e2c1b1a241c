import type { FileTree } from "../catalog/port/file-tree.ts";
import type { ObjectTree } from "../catalog/port/objects.ts";
import { noSuchBucket, type ObjectScope } from "./object-scope.ts";
import type { ObjectService } from "./object-service.ts";

export interface ReadObjectsParts {
  readonly catalog: ObjectTree & Pick<FileTree, "fileByKey">;
  readonly limits: ObjectScope;
}

export function createReadObjects({
  catalog,
  limits,
}: ReadObjectsParts): Pick<ObjectService, "list" | "find" | "findFolder"> {
  const { within } = limits;

  return {
    async list(request) {
      await limits.requireBucket(request.bucket);
      limits.requireAction("list");
      const list = await catalog.listObjects({ ...request, within });
      if (list !== undefined) return list;
      // The caller's folder is empty, or the bucket was removed meanwhile.
      if ((await limits.bucket(request.bucket)) === undefined) throw noSuchBucket(request.bucket);
      return { entries: [], more: false };
    },
    async find(key, action) {
      const file = await catalog.fileByKey(key, within);
      if (file !== undefined) limits.requireAction(action);
      return file;
    },
    async findFolder(key, action) {
      const folder = await catalog.explicitFolder(key, within);
      if (folder !== undefined) limits.requireAction(action);
      return folder;
    },
  };
}
