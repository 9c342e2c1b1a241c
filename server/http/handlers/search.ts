import type { Files } from "../../files/files.ts";
import type { SearchPlace } from "../../files/search.ts";
import { isFiltering } from "../../rules/search-filter.ts";
import { fileObject, folderObject } from "../objects.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import type { Handlers } from "./handler.ts";

const DEFAULT_LIMIT = 50;

export function searchHandlers(files: Files): Handlers<"search"> {
  return {
    async search({ query, request, scope }) {
      const { q, folderId, limit = DEFAULT_LIMIT, cursor = "", ...filter } = query;
      const filters = isFiltering(filter) ? `${JSON.stringify(filter)} ` : "";
      const list = `search ${folderId ?? ""} ${filters}${q}`;
      const { signal } = request;
      const after = cursor === "" ? undefined : placeOf(readCursor(list, cursor));
      const found = await files
        .within(scope)
        .search({ text: q, folderId, filter, limit, after, signal });
      return {
        files: found.files.map(fileObject),
        folders: found.folders.map(folderObject),
        nextCursor: found.next && writeCursor(list, partsOf(found.next)),
      };
    },
  };
}

const partsOf = (place: SearchPlace): string[] =>
  place.kind === "file" ? [place.path, place.name] : [place.path];

function placeOf([path, name, ...more]: readonly unknown[]): SearchPlace {
  if (typeof path !== "string" || more.length > 0) throw invalidCursor();
  if (name === undefined) return { kind: "folder", path };
  if (typeof name !== "string") throw invalidCursor();
  return { kind: "file", path, name };
}
