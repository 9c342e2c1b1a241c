import type { trashOperations } from "../../../../contract/operations/trash.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import type { Files } from "../../../files/files.ts";
import type { TrashService } from "../../../files/trash/trash-service.ts";
import { changeObject } from "../dry-runs.ts";
import { trashObject } from "../trash-objects.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import { givenRef, requireCount } from "./given-refs.ts";
import type { Handlers } from "./handler.ts";

type TrashSelection = Parameters<TrashService["restore"]>[1];
type TrashPosition = NonNullable<Parameters<TrashService["list"]>[1]["after"]>;

const DEFAULT_LIMIT = 50;

export interface TrashHandlerDeps {
  readonly files: Files;
  readonly maxDeleteBatch: () => number;
}

export function trashHandlers({
  files,
  maxDeleteBatch,
}: TrashHandlerDeps): Handlers<keyof typeof trashOperations> {
  function selectionOf({ undoId, ids }: Selection): TrashSelection {
    if (ids === undefined) return { undoId: undoId ?? "" };
    requireCount(ids, maxDeleteBatch());
    return { ids: [...new Set(ids)] };
  }

  return {
    async listTrash({ query, caller, authorize, identity }) {
      const { undoId, cursor = "", limit = DEFAULT_LIMIT } = query;
      const list = `trash ${undoId ?? ""}`;
      const after = cursor === "" ? undefined : positionIn(list, cursor);
      const reader = await authorize();
      const { items, next } = await files.trash.list(reader, { undoId, after, limit });
      return {
        items: items.map((item) => trashObject(item, caller, identity)),
        totals: { ...(await files.trash.totals(reader)) },
        nextCursor: next === undefined ? null : writeCursor(list, [next.undoId, next.id]),
      };
    },

    async restoreTrash({ body, authorize }) {
      const { undoId, ids, by, since, until, folder } = body;
      requireOne({ undoId, ids, by });
      if (by !== undefined) {
        if (since === undefined) throw new Fault("invalid", "`since` is missing.");
        const period = periodOf({ since, until, folder });
        const undone = await files.undo(await authorize(), { ...period, by, onlyDeletions: true });
        return {
          restored: undone.restored.map((item) => ({ ...item })),
          failed: undone.failed.map((item) => ({ ...item })),
        };
      }
      if ([since, until, folder].some((field) => field !== undefined)) {
        throw new Fault("invalid", "`since`, `until` and `folder` go with `by`.");
      }
      const selection = selectionOf(body);
      const { restored, failed } = await files.trash.restore(await authorize(), selection);
      return {
        restored: restored.map((item) => ({ ...item })),
        failed: failed.map((item) => ({ ...item })),
      };
    },

    async undoChanges({ body, authorize }) {
      const wanted = { ...periodOf(body), by: body.by, onlyDeletions: false };
      const { at, total, changes, conflicts } = await files.undo(await authorize(), wanted);
      return {
        at: new Date(at).toISOString(),
        total,
        changes: changes.map(changeObject),
        conflicts: conflicts.map((conflict) => ({ ...conflict })),
      };
    },

    async emptyTrash({ body, authorize }) {
      const { undoId, ids, all } = body;
      requireOne({ undoId, ids, all });
      if (all === true) return { deleted: await files.trash.purgeAll(await authorize()) };
      const selection = selectionOf(body);
      return { deleted: await files.trash.purge(await authorize(), selection) };
    },
  };
}

interface Period {
  readonly since: number;
  readonly until?: number | undefined;
  readonly folder?: string | undefined;
}

/** Fault "invalid": the folder is empty. */
function periodOf({ since, until, folder }: Period) {
  return {
    since,
    until,
    folder: folder === undefined ? undefined : givenRef({ key: folder }, "a folder"),
  };
}

interface Selection {
  readonly undoId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Fault "invalid": not exactly one field is given. */
function requireOne(fields: Readonly<Record<string, unknown>>): void {
  if (Object.values(fields).filter((field) => field !== undefined).length === 1) return;
  const names = Object.keys(fields).map((name) => `\`${name}\``);
  throw new Fault("invalid", `Give exactly one of ${names.join(", ")}.`);
}

function positionIn(list: string, cursor: string): TrashPosition {
  const [undoId, id, ...more] = readCursor(list, cursor);
  if (typeof undoId !== "string" || typeof id !== "string" || more.length > 0) {
    throw invalidCursor();
  }
  return { undoId, id };
}
