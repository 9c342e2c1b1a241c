import type { versionOperations } from "../../../../contract/operations/versions.ts";
import type { Files } from "../../../files/files.ts";
import type { Deliver } from "../../hosting/deliver.ts";
import { fileObject } from "../objects.ts";
import { versionObject } from "../trash-objects.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import { requireSelector } from "./files.ts";
import { givenIds } from "./given-ids.ts";
import type { Handlers } from "./handler.ts";

const DEFAULT_LIMIT = 50;

export interface VersionHandlerDeps {
  readonly files: Files;
  readonly deliver: Deliver;
  readonly maxDeleteBatch: () => number;
}

export function versionHandlers({
  files,
  deliver,
  maxDeleteBatch,
}: VersionHandlerDeps): Handlers<keyof typeof versionOperations> {
  return {
    async listVersions({ query, scope, caller }) {
      const { id = null, key = null, cursor = "", limit = DEFAULT_LIMIT } = query;
      const list = `versions ${JSON.stringify([id, key])}`;
      const after = cursor === "" ? undefined : positionIn(list, cursor);
      const { versions, next } = await files
        .within(scope)
        .versions.list(requireSelector(query), { after, limit });
      return {
        versions: versions.map((version) => versionObject(version, scope, caller)),
        nextCursor: next === undefined ? null : writeCursor(list, [next]),
      };
    },

    async downloadVersion({ query, request, scope }) {
      const file = await files.within(scope).versions.find(query.id);
      return deliver(file, request, query.download === "1" ? "attachment" : "inline");
    },

    async restoreVersion({ body, scope, actor }) {
      return { file: fileObject(await files.within(scope, actor).versions.restore(body.id)) };
    },

    async deleteVersions({ body, scope, actor }) {
      const ids = givenIds(body, "a version", maxDeleteBatch());
      return { deleted: await files.within(scope, actor).versions.remove(ids) };
    },
  };
}

function positionIn(list: string, cursor: string): string {
  const [id, ...more] = readCursor(list, cursor);
  if (typeof id !== "string" || more.length > 0) throw invalidCursor();
  return id;
}
