import type { versionOperations } from "../../../../contract/operations/versions.ts";
import type { Files } from "../../../files/files.ts";
import type { DownloadLog } from "../../connection/download-log.ts";
import type { Deliver } from "../../hosting/deliver.ts";
import { fileObject } from "../objects.ts";
import { versionObject } from "../trash-objects.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import { requireSelector } from "./files.ts";
import { givenIds } from "./given-refs.ts";
import type { Handlers } from "./handler.ts";

const DEFAULT_LIMIT = 50;

export interface VersionHandlerDeps {
  readonly files: Files;
  readonly deliver: Deliver;
  /** See `DownloadLog`. */
  readonly noteVersion: DownloadLog["noteVersion"];
  readonly maxDeleteBatch: () => number;
}

export function versionHandlers({
  files,
  deliver,
  noteVersion,
  maxDeleteBatch,
}: VersionHandlerDeps): Handlers<keyof typeof versionOperations> {
  return {
    async listVersions({ query, caller, authorize, identity }) {
      const { id = null, key = null, cursor = "", limit = DEFAULT_LIMIT } = query;
      const list = `versions ${JSON.stringify([id, key])}`;
      const after = cursor === "" ? undefined : positionIn(list, cursor);
      const selector = requireSelector(query);
      const reader = await authorize(() => files.look.file(caller, selector));
      const { versions, next } = await files.versions.list(reader, selector, { after, limit });
      return {
        versions: versions.map((version) => versionObject(version, caller, identity)),
        nextCursor: next === undefined ? null : writeCursor(list, [next]),
      };
    },

    async downloadVersion({ query, request, caller, authorize }) {
      const reader = await authorize(() => files.look.anyVersion(caller, [query.id]));
      const file = await files.versions.find(reader, query.id);
      noteVersion(request, file.fileId);
      return deliver(file, request, query.download === "1" ? "attachment" : "inline");
    },

    async restoreVersion({ body, caller, authorize }) {
      const writer = await authorize(() => files.look.anyVersion(caller, [body.id]));
      return { file: fileObject(await files.versions.restore(writer, body.id)) };
    },

    async deleteVersions({ body, caller, authorize }) {
      const ids = givenIds(body, "a version", maxDeleteBatch());
      const remover = await authorize(() => files.look.anyVersion(caller, ids));
      return { deleted: await files.versions.remove(remover, ids) };
    },
  };
}

function positionIn(list: string, cursor: string): string {
  const [id, ...more] = readCursor(list, cursor);
  if (typeof id !== "string" || more.length > 0) throw invalidCursor();
  return id;
}
