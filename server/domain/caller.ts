import type { Actor } from "./activity.ts";
import { FULL_SCOPE, type Scope } from "./scope.ts";
import { COMMAND } from "./tree-change.ts";

/** No limit. It is written out wherever there is none: a limit that was forgotten is no limit either. */
export const EVERYTHING = "everything";

/**
 * What an operation is limited to: what is in all folders with these ids, at any depth, and the folders
 * themselves. Everything else is treated as if it did not exist, also when a folder is renamed, moved or
 * removed meanwhile. There is at least one id.
 */
export type Within = typeof EVERYTHING | readonly string[];

/** On whose behalf something is read or changed. The first argument of every service and of the catalog. */
export interface Caller {
  /** Who the change feed and the audit log say it was. */
  readonly actor: Actor;
  /** What the caller may do, and where. */
  readonly scope: Scope;
  /** The folders of the scope. */
  readonly within: Within;
}

/** What a read needs to know of its caller. */
export type SeenBy = Pick<Caller, "within">;

/** What a change needs to know of its caller. */
export type ChangedBy = Pick<Caller, "actor" | "within">;

/** The caller of the system's own jobs, and of what nobody is asked for, such as public files. */
export const SYSTEM: Caller = { actor: COMMAND, scope: FULL_SCOPE, within: EVERYTHING };

/** The caller of the command line. */
export const COMMAND_EVERYWHERE: Caller = SYSTEM;

export const callerWith = (actor: Actor, scope: Scope): Caller => ({
  actor,
  scope,
  within: scope.folderIds.length === 0 ? EVERYTHING : scope.folderIds,
});

/** The ids of the folders of a limit. None: there is no limit. */
export function limitsOf(within: Within): readonly string[] {
  if (within === EVERYTHING) return [];
  if (within.length === 0) throw new Error("A limit names no folder.");
  return within;
}
