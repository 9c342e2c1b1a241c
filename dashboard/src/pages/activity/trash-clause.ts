import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";
import { displayName } from "../../text/key-parts.ts";
import { type Clause, countText, type Part, subjectOf } from "./sentence-parts.ts";

/** The clause that says what an event did with the trash or with versions; undefined for other events. */
export function trashClause(event: ActivityObject): Clause | undefined {
  const { action, detail } = event;
  switch (action) {
    case "deleteFiles":
      return detail.trash === true ? moved(deletedFiles(event, " to the trash")) : undefined;
    case "deleteFolder":
      return detail.trash === true ? moved(deletedFolders(event, " to the trash")) : undefined;
    case "restoreTrash":
      return { past: "restored", infinitive: "restore", object: restored(event) };
    case "undoChanges":
      return { past: "undid", infinitive: "undo", object: undoneBy(event) };
    case "emptyTrash":
      return detail.all === true
        ? { past: "emptied", infinitive: "empty", object: ["the trash"] }
        : { past: "deleted", infinitive: "delete", object: [`${countOf(event)} permanently`] };
    case "deleteVersions":
      return { past: "deleted", infinitive: "delete", object: [versionsOf(event)] };
    default:
      return undefined;
  }
}

const moved = (object: readonly Part[]): Clause => ({ past: "moved", infinitive: "move", object });

function restored(event: ActivityObject): Part[] {
  const { items } = event.detail;
  if (event.subject === null) return ["files from the trash"];
  if (typeof items !== "number" || items < 2) return [...subjectOf(event), " from the trash"];
  return [`${countOf(event)} from the trash, including `, ...subjectOf(event)];
}

function undoneBy({ subject, detail: { items, since } }: ActivityObject): Part[] {
  const what = typeof items === "number" ? formatCount(items, "change") : "changes";
  const who = subject?.name;
  const by = who ? [" by ", { name: who }] : [];
  return [what, ...by, ...(typeof since === "string" ? [` since ${since.slice(0, 16)} UTC`] : [])];
}

const countOf = ({ detail: { items } }: ActivityObject): string =>
  typeof items === "number" ? formatCount(items, "item") : "items";

const versionsOf = ({ detail: { versions } }: ActivityObject): string =>
  typeof versions === "number"
    ? formatCount(versions, "earlier version", "earlier versions")
    : "earlier versions";

/** The deleted files, and where they went: the name of one, or their number with the name of the first. */
export function deletedFiles(event: ActivityObject, where = ""): Part[] {
  const count = countText(event);
  if (count === undefined) return [...subjectOf(event), where];
  const first = event.subject?.key;
  const name = first ? [", including ", { name: displayName(first) }] : [];
  return [`${count}${where}`, ...name];
}

/** The deleted folders, and where they went: the name of one, or their number. */
export function deletedFolders(event: ActivityObject, where = ""): Part[] {
  const count = countText(event);
  return count === undefined
    ? [...subjectOf(event), ` and everything in it${where}`]
    : [`${count} and everything in them${where}`];
}
