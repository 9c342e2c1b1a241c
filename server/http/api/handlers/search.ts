import type { searchOperations } from "../../../../contract/operations/search.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { isPositionValue } from "../../../domain/list-position.ts";
import { isFiltering } from "../../../domain/search-filter.ts";
import type { Files } from "../../../files/files.ts";
import type { SearchOrder, SearchPlace } from "../../../files/search.ts";
import type { DescribeFiles } from "../describe-file.ts";
import { folderObject } from "../objects.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import type { Handlers } from "./handler.ts";

const DEFAULT_LIMIT = 50;

export function searchHandlers(
  files: Files,
  describeFiles: DescribeFiles,
): Handlers<keyof typeof searchOperations> {
  return {
    async search({ query, request, caller, authorize }) {
      const { q, folderId, folder, orderBy, orderDirection, includeTotal, include, ...page } =
        query;
      const describe = describeFiles(include);
      const { limit = DEFAULT_LIMIT, cursor = "", ...filter } = page;
      if (orderDirection !== undefined && orderBy === undefined) {
        throw new Fault("invalid", "Give `orderDirection` only with `orderBy`.");
      }
      if (folderId !== undefined && folder !== undefined) {
        throw new Fault("invalid", "Give either `folderId` or `folder`, not both.");
      }
      const order = orderBy && { orderBy, direction: orderDirection ?? "DESC" };
      const ordered = order === undefined ? "" : `${order.orderBy} ${order.direction} `;
      const filters = isFiltering(filter) ? `${JSON.stringify(filter)} ` : "";
      const list = `search ${folderId ?? folder ?? ""} ${ordered}${filters}${q}`;
      const { signal } = request;
      const after = cursor === "" ? undefined : placeOf(readCursor(list, cursor), order);
      const counts = includeTotal === "1";
      const reader = await authorize(
        folderId === undefined ? undefined : () => files.look.folder(caller, { id: folderId }),
      );
      const found = await files.search(reader, {
        text: q,
        folderId,
        folder,
        filter,
        order,
        limit,
        after,
        counts,
        signal,
      });
      return {
        files: found.files.map(describe),
        folders: found.folders.map(folderObject),
        nextCursor: found.next && writeCursor(list, partsOf(found.next)),
        total: found.total,
      };
    },
  };
}

/** Each kind of place has another number of parts. */
function partsOf(place: SearchPlace): (string | number | null)[] {
  switch (place.kind) {
    case "folder":
      return [place.path];
    case "file":
      return [place.path, place.name];
    case "ranked":
      return [place.value, place.id, RANKED];
  }
}

const RANKED = "ranked";

function placeOf(parts: readonly unknown[], order: SearchOrder | undefined): SearchPlace {
  const [first, second, third, ...more] = parts;
  if (more.length > 0) throw invalidCursor();
  if (third === RANKED && order !== undefined) {
    if (typeof second !== "string" || !isPositionValue(first, order.orderBy)) throw invalidCursor();
    return { kind: "ranked", value: first, id: second };
  }
  if (third !== undefined || typeof first !== "string") throw invalidCursor();
  if (second === undefined) return { kind: "folder", path: first };
  if (typeof second !== "string" || order !== undefined) throw invalidCursor();
  return { kind: "file", path: first, name: second };
}
