import type { Actor } from "../activity.ts";
import { COMMAND } from "../tree-change.ts";
import { FULL_SCOPE, isReversible, type Scope } from "./scope.ts";

/** Without a limit. Always written out and never a default, so that a limit cannot be forgotten. */
export const EVERYTHING = "everything";

/** The ids of folders, at least one. */
export type FolderIds = readonly [string, ...string[]];

/**
 * What an operation is limited to: what is in all of these folders, at any depth, and the folders
 * themselves. Everything else is treated as if it did not exist, also when a folder is renamed, moved or
 * removed meanwhile.
 */
export type Within = typeof EVERYTHING | FolderIds;

/** On whose behalf something is read or changed: the first argument of services and of the catalog. */
export interface Caller {
  /** Who the change feed and the audit log say it was. */
  readonly actor: Actor;
  /** What the caller may do, and where. */
  readonly scope: Scope;
  /** The folders of the scope. */
  readonly within: Within;
  /** No change of it ends unfinished uploads of others, which could not be undone. */
  readonly keepsUploads?: true | undefined;
  /** It acts for a member, so what it signs ends soon: signatures are not asked for grants. */
  readonly isMember?: true | undefined;
  /** Its changes are only tried: each throws a `DryRun`. */
  readonly isDryRun?: true | undefined;
}

/** What a read needs to know of its caller. */
export type SeenBy = Pick<Caller, "within">;

/** What a change needs to know of its caller. */
export type ChangedBy = Pick<Caller, "actor" | "within" | "isDryRun" | "keepsUploads">;

/** The caller of the system's own jobs, and of lookups that decide by themselves what may be seen. */
export const SYSTEM: Caller = { actor: COMMAND, scope: FULL_SCOPE, within: EVERYTHING };

/** The caller of the command line. */
export const COMMAND_EVERYWHERE: Caller = { ...SYSTEM };

export function callerWith(actor: Actor, scope: Scope): Caller {
  const [first, ...others] = scope.folderIds;
  const within: Within = first === undefined ? EVERYTHING : [first, ...others];
  return { actor, scope, within, ...(isReversible(scope) ? { keepsUploads: true } : {}) };
}

/** The folders of a limit; none: there is no limit. */
export const limitsOf = (within: Within): readonly string[] =>
  within === EVERYTHING ? [] : within;
