import type {
  AccountObject,
  GrantAction,
  SignedInAccount,
  SpaceObject,
} from "../../../sdk/src/holdall.ts";
import { readStored, removeStored, writeStored } from "../app/local-storage.ts";
import { providerName } from "../app/session/sign-in-methods.ts";
import { createStore, useStore } from "../app/store.ts";
import { pickSpace } from "./pick-space.ts";

/** The right that a part of the dashboard needs; `admin`: it is for owners. */
export type Right = GrantAction | "admin";

/** The rights of the signed-in account. */
export interface Rights {
  readonly role: AccountObject["role"];
  /** The spaces in which a member may work. Owners work everywhere, and have none. */
  readonly spaces: readonly SpaceObject[];
  /** The space in which the member works now; undefined: the account is an owner's, or has no grants. */
  readonly space: SpaceObject | undefined;
  /** Whether an owner has somebody to manage. */
  readonly hasOthers: boolean;
  /** The session can only set up a second factor. */
  readonly needsSecondFactor: boolean;
}

const ROLE_KEY = "holdall-role";
export const SPACE_KEY = "holdall-space";
const OTHERS_KEY = "holdall-others";

/** Until the session is read, an owner sees everything at once, as somebody who works alone does. */
const assumedOwner = (): Rights => ({
  role: "owner",
  spaces: [],
  space: undefined,
  hasOthers: readStored(OTHERS_KEY) !== null,
  needsSecondFactor: false,
});

function initialRights(): Rights | undefined {
  const role = readStored(ROLE_KEY);
  const isOwner = role === "owner" || (role === null && providerName === undefined);
  return isOwner ? assumedOwner() : undefined;
}

/** undefined: not known yet, so no page is shown. */
export const rightsStore = createStore<Rights | undefined>(initialRights());

/** An account signs in. Its role is not known if another tab signs it in. */
export function expectRights(role: AccountObject["role"] | undefined): void {
  rightsStore.set(role === "owner" ? assumedOwner() : undefined);
}

/** Takes over what the server says of the session. `key`: of the folder that the page shows. */
export function applySession(session: SignedInAccount, key: string | undefined): void {
  const { account, spaces, hasOthers, needsSecondFactor } = session;
  const { role } = account;
  const wanted = rightsStore.get()?.space?.id ?? readStored(SPACE_KEY);
  const space = role === "owner" ? undefined : pickSpace(spaces, wanted, key);
  writeStored(ROLE_KEY, role);
  if (space !== undefined) writeStored(SPACE_KEY, space.id);
  if (hasOthers) writeStored(OTHERS_KEY, "yes");
  else removeStored(OTHERS_KEY);
  const next: Rights = { role, spaces, space, hasOthers, needsSecondFactor };
  // Setting equal rights would render everything again.
  if (JSON.stringify(next) !== JSON.stringify(rightsStore.get())) rightsStore.set(next);
}

export const useRights = (): Rights | undefined => useStore(rightsStore);

/** Whether the signed-in account may do this where it works now. */
export function can(right: Right): boolean {
  const rights = rightsStore.get();
  return rights !== undefined && includes(rights, right);
}

/** The same, for components: they render again when the rights change. */
export function useCan(): (right: Right) => boolean {
  useRights();
  return can;
}

/** Whether all of these may be done. */
export const canAll = (needs: readonly Right[] | undefined): boolean => needs?.every(can) ?? true;

function includes({ role, space, needsSecondFactor }: Rights, right: Right): boolean {
  if (needsSecondFactor) return false;
  if (role === "owner") return true;
  const actions: readonly Right[] = space?.actions ?? [];
  return actions.includes(right) || (right === "discard" && actions.includes("delete"));
}

/** The key of the folder where the account works: the root, or the folder of a member's space. */
export const homeKey = (): string => rightsStore.get()?.space?.folder.key ?? "";

export function useHomeKey(): string {
  useRights();
  return homeKey();
}

/** The id that requests name; undefined: the account is not a member's. */
export const spaceId = (): string | undefined => rightsStore.get()?.space?.id;

/** Names the space in the URL, for requests that the browser sends without headers. */
export function withSpace(url: string): string {
  const id = spaceId();
  if (id === undefined) return url;
  return `${url}${url.includes("?") ? "&" : "?"}space=${encodeURIComponent(id)}`;
}
