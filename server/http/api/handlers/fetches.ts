import type { fetchOperations } from "../../../../contract/operations/fetches.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { parseKey, parseName, splitKey } from "../../../domain/names/name.ts";
import { parseSha256 } from "../../../domain/sha256.ts";
import type { Fetches, WantedFile } from "../../../fetches/fetches.ts";
import type { Lookups } from "../../../files/lookups.ts";
import { uploadObject } from "../upload-objects.ts";
import type { Handlers } from "./handler.ts";

export interface FetchHandlerDeps {
  readonly fetches: Pick<Fetches, "start" | "check">;
  readonly look: Pick<Lookups, "destination">;
  /** The setting. */
  readonly fetchByKeys: () => boolean;
}

export function fetchHandlers({
  fetches,
  look,
  fetchByKeys,
}: FetchHandlerDeps): Handlers<keyof typeof fetchOperations> {
  return {
    async fetchFiles({ body, caller, authorize, identity, client }) {
      const wanted = wantedFiles(body);
      if (identity?.kind === "key" && !fetchByKeys()) {
        throw new Fault(
          "forbidden",
          "API keys may not make the server fetch files: the setting `fetchByKeys` is off.",
        );
      }
      const writer = await authorize(() => {
        fetches.check(wanted);
        return look.destination(caller, wanted[0]?.folder);
      });
      const created = await fetches.start(writer, wanted, client);
      return { uploads: created.map(({ upload, token }) => uploadObject(upload, token)) };
    },
  };
}

interface Body extends Pick<WantedFile, "onConflict" | "visibility"> {
  readonly url?: string | undefined;
  readonly folder?: string | undefined;
  readonly name?: string | undefined;
  readonly sha256?: string | undefined;
  readonly files?: readonly { readonly key: string; readonly url: string }[] | undefined;
}

/** Fault "invalid": not exactly one of `url` and `files` is given, or a name, a key or a digest is malformed. */
function wantedFiles({ url, files, folder, name, sha256, ...shared }: Body): WantedFile[] {
  const hasOne = [url, folder, name, sha256].some((field) => field !== undefined);
  if ((url === undefined) === (files === undefined) || (files !== undefined && hasOne)) {
    throw new Fault(
      "invalid",
      "Give either the `url` of one file, with `folder`, `name` and `sha256`, or `files`.",
    );
  }
  if (url !== undefined) {
    return [
      {
        ...shared,
        url,
        folder: folder === undefined ? undefined : parseKey(folder),
        name: name === undefined ? undefined : parseName(name),
        sha256: sha256 === undefined ? undefined : parseSha256(sha256),
      },
    ];
  }
  return (files ?? []).map((file) => {
    const place = splitKey(parseKey(file.key));
    if (place === undefined) throw new Fault("invalid", "The `key` of a file is empty.");
    return { ...shared, url: file.url, folder: place.folder, name: place.name };
  });
}
