import { compareUtf8 } from "../../../../../contract/text/utf8-order.ts";
import type { FileObject, FolderPage, OrderDirection } from "../../../../../sdk/src/holdall.ts";
import { nameOrder } from "../../../text/name-order.ts";
import type { ViewOrder } from "../state/view.ts";

export interface ListOrder {
  readonly orderBy: ViewOrder;
  readonly direction: OrderDirection;
}

/**
 * Inserts files into the loaded pages of their folder, each where the server would list it, and
 * moves those already listed. A file past the loaded end is left out: it comes with its own page.
 * Unchanged pages keep their identity.
 */
export function insertFiles(
  pages: readonly FolderPage[],
  files: readonly FileObject[],
  order: ListOrder,
): readonly FolderPage[] {
  const loaded = new Map(pages.flatMap((page) => page.files).map((file) => [file.id, file]));
  const changed = files
    .map((file) => withEnd(file, loaded.get(file.id)))
    .filter((file) => !isSame(file, loaded.get(file.id)));
  if (changed.length === 0) return pages;
  const compare = comparison(order);
  const ids = new Set(changed.map(({ id }) => id));
  const lists = pages.map(({ files: list }) =>
    list.some(({ id }) => ids.has(id)) ? list.filter(({ id }) => !ids.has(id)) : list,
  );
  const isComplete = pages.at(-1)?.nextCursor === null;
  for (const file of changed) {
    let at = lists.findIndex((list) => {
      const last = list.at(-1);
      return last !== undefined && compare(file, last) < 0;
    });
    if (at < 0 && isComplete) at = lists.length - 1;
    const list = lists[at];
    if (list === undefined) continue;
    const position = list.findIndex((other) => compare(file, other) < 0);
    lists[at] = list.toSpliced(position < 0 ? list.length : position, 0, file);
  }
  return pages.map((page, at) => {
    const list = lists[at];
    return list === undefined || list === page.files ? page : { ...page, files: list };
  });
}

const isSame = (one: FileObject, other: FileObject | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The server's order: by the value, then by the id, which starts with the creation time. */
function comparison({ orderBy, direction }: ListOrder) {
  const sign = direction === "ASC" ? 1 : -1;
  const byValue = valueOrder(orderBy);
  return (one: FileObject, other: FileObject): number =>
    sign * (byValue(one, other) || compareUtf8(one.id, other.id));
}

function valueOrder(orderBy: ViewOrder): (one: FileObject, other: FileObject) => number {
  switch (orderBy) {
    case "size":
      return (one, other) => one.size - other.size;
    case "name": {
      const compare = nameOrder();
      return (one, other) => compare(one.name, other.name);
    }
    case "type":
      return (one, other) => compareUtf8(one.mimeType, other.mimeType);
    case "updatedAt":
      return (one, other) => compareUtf8(one.updatedAt, other.updatedAt);
    case "createdAt":
      return () => 0;
  }
}

/** Answers to changes and the change feed do not say when a file ends. */
const withEnd = (file: FileObject, before: FileObject | undefined): FileObject =>
  file.expiresAt === undefined && before?.expiresAt !== undefined
    ? { ...file, expiresAt: before.expiresAt }
    : file;
