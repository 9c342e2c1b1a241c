import { EVERYTHING, type SeenBy } from "../../domain/callers/caller.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { Engine } from "../engine/engine.ts";
import type { ObjectTree } from "../port/objects.ts";
import { foldersByKey, keysWithin } from "../records/object-folders.ts";
import { parseBucketSettings, settingsOfBucket } from "./bucket-settings.ts";
import { createListObjects } from "./list-objects.ts";

export function createObjectQueries(engine: Pick<Engine, "all" | "first">): ObjectTree {
  return {
    listObjects: createListObjects(engine),
    async bucketSettings(key: Key) {
      const found = await engine.first(settingsOfBucket, { key });
      return found && parseBucketSettings(found.settings);
    },
    async explicitFolder({ within }: SeenBy, key: Key): Promise<FolderRecord | undefined> {
      if (key === ROOT_KEY) return undefined;
      const [found] = await foldersByKey(engine, [key]);
      if (found === undefined || found.implicit === 1) return undefined;
      if (within === EVERYTHING) return found.folder;
      const keys = await keysWithin(engine, [found.folder.id], within);
      return keys.get(found.folder.id) === key ? found.folder : undefined;
    },
  };
}
