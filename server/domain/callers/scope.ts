import type { Actor } from "../activity.ts";
import { Fault } from "../faults/fault.ts";
import { ROOT_KEY } from "../names/name.ts";
import type { Key, KeyAction } from "../records.ts";

/** What a caller may do, and where. */
export interface Scope {
  readonly actions: ReadonlySet<KeyAction>;
  /**
   * The ids of the folders that limit the caller: it acts only on what is in all of them, at any
   * depth, or is the folder itself. Without any, it acts on the whole instance.
   *
   * The first is the folder of the API key, the others are those of the keys that it descends from.
   * A folder that was moved out of the parent key's folder thus gives no access any more.
   */
  readonly folderIds: readonly string[];
}

/** The scope of sessions, and of API keys without limits. */
export const FULL_SCOPE: Scope = { actions: new Set(["admin"]), folderIds: [] };

/** The scope of requests without credentials. */
export const NO_SCOPE: Scope = { actions: new Set(), folderIds: [] };

export const isLimitedToFolder = (scope: Scope): boolean => scope.folderIds.length > 0;

/** Whether the caller may do everything everywhere. */
export const isUnlimited = (scope: Scope): boolean =>
  !isLimitedToFolder(scope) && scope.actions.has("admin");

/** Whether a scope allows all that another one does, in the same folders. */
export const hasRightsOf = (scope: Scope, other: Scope): boolean =>
  allowsAll(scope, other.actions) && scope.folderIds.join() === other.folderIds.join();

/** Whether the scope has the action, or one that implies it. Public files are read with the full scope. */
export const allows = (scope: Scope, action: KeyAction): boolean =>
  scope === FULL_SCOPE ||
  scope.actions.has(action) ||
  scope.actions.has("admin") ||
  (action === "discard" && scope.actions.has("delete"));

export const allowsAll = (scope: Scope, actions: Iterable<KeyAction>): boolean =>
  Array.from(actions).every((action) => allows(scope, action));

/** Whether the caller deletes, but only so that it can be undone: it has `discard` without `delete`. */
export const isReversible = (scope: Scope): boolean =>
  allows(scope, "discard") && !allows(scope, "delete");

/** Whether a key is that of a folder or of something below it. `ab` is not below `a`. */
export const isInFolder = (key: string, folder: Key): boolean =>
  folder === ROOT_KEY || key === folder || key.startsWith(`${folder}/`);

/** A scope with the current key of its folder, so that most checks need no lookup in the catalog. */
export interface PlacedScope extends Scope {
  /** The current key of the only folder. null: it is not in the tree; undefined: not known. */
  readonly top?: Key | null;
}

/** false: what has this key is outside of the scope. true: it may be inside. */
export const mayReach = ({ top }: PlacedScope, key: Key): boolean =>
  top === undefined || (top !== null && isInFolder(key, top));

/**
 * The key of the folder that contains exactly what is in all folders of a scope, from their current
 * keys. undefined: nothing is in all of them, because one was deleted (undefined) or two are apart.
 */
export function topOf(folders: readonly (Key | undefined)[]): Key | undefined {
  let top = ROOT_KEY;
  for (const folder of folders) {
    if (folder === undefined) return undefined;
    if (isInFolder(folder, top)) top = folder;
    else if (!isInFolder(top, folder)) return undefined;
  }
  return top;
}

/** How a message begins that is about its caller. */
export const callerInMessage = (actor: Pick<Actor, "kind"> | undefined): "You" | "This API key" =>
  actor?.kind === "account" ? "You" : "This API key";

/** The fault of an action that the scope of an API key lacks, or of a member. */
export const forbidden = (action: KeyAction, actor?: Pick<Actor, "kind">): Fault =>
  new Fault(
    "forbidden",
    `${callerInMessage(actor)} may not do that: it needs the action \`${action}\`.`,
  );
