import type { ListedApiKey } from "../catalog/port/credentials.ts";
import type { ApiKeyRecord } from "../domain/records.ts";
import { isInFolder, topOf } from "../domain/scope.ts";

/**
 * The keys that descend from `parent`, as it may see them: a folder that was moved out of its own
 * looks deleted.
 */
export function seenBy(parent: ApiKeyRecord, all: readonly ListedApiKey[]): ListedApiKey[] {
  const byId = new Map(all.map((key) => [key.id, key]));
  const keys = byId.get(parent.id)?.folderKeys ?? [];
  const top = topOf(keys.map((key) => key ?? undefined));
  return all
    .filter((key) => descendsFrom(parent.id, key, byId))
    .map((key) => ({
      ...key,
      folderKeys: key.folderKeys.map((folder) =>
        folder !== null && top !== undefined && isInFolder(folder, top) ? folder : null,
      ),
    }));
}

function descendsFrom(
  id: string,
  key: ListedApiKey,
  byId: ReadonlyMap<string, ListedApiKey>,
): boolean {
  if (key.parentId === null) return false;
  if (key.parentId === id) return true;
  const parent = byId.get(key.parentId);
  return parent !== undefined && descendsFrom(id, parent, byId);
}
