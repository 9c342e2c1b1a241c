import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import { Fault } from "../faults/fault.ts";
import { ROOT_KEY } from "../names/name.ts";
import { type FolderRecord, KEY_ACTIONS, type Key, type KeyAction } from "../records.ts";
import { type Caller, COMMAND_EVERYWHERE, EVERYTHING, type SeenBy } from "./caller.ts";
import { allows, forbidden, isInFolder, isLimitedToFolder, isReversible } from "./scope.ts";

/*
 * The one rule of what callers may do: what is outside of their folders is missing, whatever their
 * actions are; on what is inside, an operation without its action is forbidden. So what an operation is about
 * is looked up before it is refused.
 */

type Actions<A extends KeyAction = KeyAction> = A | readonly A[];

declare const rights: unique symbol;

/** A caller that `authorize` found to have these actions. Only `authorize` makes one. */
export type Authorized<A extends KeyAction, C extends Asking = Caller> = C & {
  readonly [rights]: { readonly [Action in A]: true };
};

declare const everywhere: unique symbol;

/** An authorized caller that no folder limits, for what concerns the whole instance. Only `authorize` makes one. */
export type AuthorizedEverywhere<A extends KeyAction, C extends Asking = Caller> = Authorized<
  A,
  C
> & { readonly [everywhere]: true };

/** Whose rights are asked for. */
type Asking = Pick<Caller, "scope"> & Partial<Pick<Caller, "actor">>;

/** Looks up what an operation is about. Throws its fault "not_found". */
export type Find = () => MaybePromise<unknown>;

/**
 * The caller, with the actions that it was found to have. Fault "forbidden": the caller lacks an action for what was found already, or for what cannot be missing.
 * "instance": also if it is limited to a folder. With `find`, that comes first: "not_found".
 */
export function authorize<C extends Asking, A extends KeyAction>(
  caller: C,
  actions: Actions<A>,
  subject: "instance",
): AuthorizedEverywhere<A, C>;
export function authorize<C extends Asking, A extends KeyAction>(
  caller: C,
  actions: Actions<A>,
): Authorized<A, C>;
export function authorize<C extends Asking, A extends KeyAction>(
  caller: C,
  actions: Actions<A>,
  subject: "instance" | Find | undefined,
): MaybePromise<Authorized<A, C>>;
export function authorize<C extends Asking, A extends KeyAction>(
  caller: C,
  actions: Actions<A>,
  subject?: "instance" | Find,
): MaybePromise<Authorized<A, C>> {
  const { scope, actor } = caller;
  const wanted = typeof actions === "string" ? [actions] : actions;
  const missing = wanted.find((action) => !allows(scope, action));
  if (missing === undefined) {
    if (subject === "instance" && isLimitedToFolder(scope)) throw limitedToFolder(actor);
    return caller as Authorized<A, C>;
  }
  if (typeof subject !== "function") throw forbidden(missing, actor);
  return chain(subject(), () => {
    throw forbidden(missing, actor);
  });
}

/** The caller of the command line, which may do everything. */
export const AUTHORIZED_COMMAND = authorize(COMMAND_EVERYWHERE, KEY_ACTIONS, "instance");

/**
 * For changes of an unfinished upload of `maker`. Fault "forbidden": the caller deletes only what can be undone, and
 * nobody could bring back an upload of somebody else.
 */
export function authorizeMaker(
  { scope, actor }: Pick<Caller, "scope" | "actor">,
  maker: Caller["actor"],
): void {
  const isOwn = maker.kind === actor.kind && maker.id === actor.id;
  if (!isOwn && isReversible(scope)) throw forbidden("delete", actor);
}

const limitedToFolder = (actor: Asking["actor"]): Fault =>
  new Fault(
    "forbidden",
    actor?.kind === "account"
      ? "This concerns the whole instance, so only its owners may do it."
      : "This API key is limited to a folder, and this operation concerns the whole instance: it needs an API key for all folders.",
  );

/** What finds the folder that contains exactly what a caller sees. */
interface TopFolder {
  topFolder(caller: SeenBy): MaybePromise<Pick<FolderRecord, "key"> | undefined>;
}

/** The key of the folder that contains exactly what the caller sees; undefined: it sees nothing. */
export const topKeyOf = (caller: SeenBy, tree: TopFolder): MaybePromise<Key | undefined> =>
  caller.within === EVERYTHING ? ROOT_KEY : chain(tree.topFolder(caller), (top) => top?.key);

/**
 * The folder that the caller puts something into, which need not exist. Default: the top folder. Fault "not_found": the
 * caller does not see it.
 */
export async function findDestination(
  caller: SeenBy,
  tree: TopFolder,
  folder: Key | undefined,
): Promise<Key> {
  const top = await topKeyOf(caller, tree);
  const place = folder ?? top ?? ROOT_KEY;
  if (top === undefined || !isInFolder(place, top)) throw noSuchFolder();
  return place;
}

/** Whether the caller sees what has this key. */
export async function seesKey(caller: SeenBy, tree: TopFolder, key: Key): Promise<boolean> {
  const top = await topKeyOf(caller, tree);
  return top !== undefined && isInFolder(key, top);
}

/** Whether the caller sees what has this key, and has the action. */
export const mayDo = async (
  caller: Pick<Caller, "scope" | "within">,
  tree: TopFolder,
  action: KeyAction,
  key: Key,
): Promise<boolean> => allows(caller.scope, action) && seesKey(caller, tree, key);

export const noSuchFolder = (): Fault => new Fault("not_found", "Folder not found.");
