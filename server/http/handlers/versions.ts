import type { Files } from "../../files/files.ts";
import type { Deliver } from "../deliver.ts";
import { fileObject } from "../objects.ts";
import { versionObject } from "../trash-objects.ts";
import { requireSelector } from "./files.ts";
import type { Handlers } from "./handler.ts";
import { idsToDelete } from "./ids-to-delete.ts";

export interface VersionHandlerParts {
  readonly files: Files;
  readonly deliver: Deliver;
  readonly maxDeleteBatch: () => number;
}

export function versionHandlers({
  files,
  deliver,
  maxDeleteBatch,
}: VersionHandlerParts): Handlers<
  "listVersions" | "downloadVersion" | "restoreVersion" | "deleteVersions"
> {
  return {
    async listVersions({ query, scope, caller }) {
      const versions = await files.within(scope).versions.list(requireSelector(query));
      return { versions: versions.map((version) => versionObject(version, scope, caller)) };
    },

    async downloadVersion({ query, request, scope }) {
      const file = await files.within(scope).versions.find(query.id);
      return deliver(file, request, query.download === "1" ? "attachment" : "inline");
    },

    async restoreVersion({ body, scope, actor }) {
      return { file: fileObject(await files.within(scope, actor).versions.restore(body.id)) };
    },

    async deleteVersions({ body, scope, actor }) {
      const ids = idsToDelete(body, "a version", maxDeleteBatch());
      return { deleted: await files.within(scope, actor).versions.remove(ids) };
    },
  };
}
