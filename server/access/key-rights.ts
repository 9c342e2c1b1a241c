import { allows, forbidden, isReversible, type Scope } from "../domain/callers/scope.ts";
import { Fault } from "../domain/faults/fault.ts";
import { type ApiKeyRecord, KEY_ACTIONS, type KeyAction, type Millis } from "../domain/records.ts";
import { timestamp } from "../domain/timestamp.ts";

/** The rights of a new API key that do not depend on folders. */
export interface KeyRights {
  readonly actions: readonly KeyAction[];
  /** null: never. */
  readonly expiresAt: Millis | null;
}

/** The rights requested for a new API key. undefined: the same as its parent. */
export type WantedRights = { readonly [Right in keyof KeyRights]: KeyRights[Right] | undefined };

/** Rights that a key has only if they are named, because they give more rights. */
const NAMED_ONLY: readonly KeyAction[] = ["admin", "keys"];

/** Without `discard`, which `delete` implies. */
const DEFAULT_ACTIONS = KEY_ACTIONS.filter(
  (action) => !NAMED_ONLY.includes(action) && action !== "discard",
);

/** The actions of a child that names none. */
const defaultActions = (scope: Scope): KeyAction[] =>
  KEY_ACTIONS.filter(
    (action) =>
      allows(scope, action) &&
      (DEFAULT_ACTIONS.includes(action) || (action === "discard" && isReversible(scope))),
  );

/**
 * The rights of a key without a parent. `notAfter` is when the key that creates it expires; null: never,
 * or a session creates it. Fault "forbidden": the new key would end later.
 */
export function freeKeyRights(
  { actions, expiresAt: wantedEnd }: WantedRights,
  notAfter: Millis | null = null,
): KeyRights {
  const expiresAt = endBy(notAfter, wantedEnd);
  return { actions: inOrder(actions ?? DEFAULT_ACTIONS), expiresAt };
}

/**
 * The rights of a key that `parent` creates: a subset of its actions, ending no later. Faults:
 * "forbidden": the parent may not create keys, or not with these rights, or could not undo what the child does; "invalid": no actions are
 * named, and the parent has only those that must be.
 */
export function childKeyRights(parent: ApiKeyRecord, wanted: WantedRights): KeyRights {
  const scope = { actions: new Set(parent.actions), folderIds: parent.folderIds };
  if (!allows(scope, "keys")) throw forbidden("keys");
  const { actions = defaultActions(scope) } = wanted;
  if (actions.length === 0) {
    throw new Fault(
      "invalid",
      "`actions` is missing: this API key has only actions that a new key gets if they are named.",
    );
  }
  rejectMoreRights(scope, actions, "This API key");
  return { actions: inOrder(actions), expiresAt: endBy(parent.expiresAt, wanted.expiresAt) };
}

/** Fault "forbidden": a key with these actions could do more than its maker. */
function rejectMoreRights(
  scope: Scope,
  actions: readonly KeyAction[],
  maker: "This API key" | "You",
): void {
  const missing = actions.filter((action) => !allows(scope, action));
  if (missing.length > 0) {
    const names = inOrder(missing).map((action) => `\`${action}\``);
    const lacks = maker === "You" ? "you lack" : "it lacks";
    throw new Fault(
      "forbidden",
      `${maker} may not create a key with rights that ${lacks}: ${names.join(", ")}.`,
    );
  }
  // A child with `write` alone could replace files for good while the trash is off, which its parent cannot.
  if (isReversible(scope) && actions.includes("write") && !actions.includes("discard")) {
    const has = maker === "You" ? "You have" : "This API key has";
    throw new Fault(
      "forbidden",
      `${has} \`discard\` without \`delete\`, so ${maker === "You" ? "you" : "it"} may create a key with \`write\` only together with \`discard\`.`,
    );
  }
}

/**
 * The rights of a key that a member creates in a space: a subset of its actions. Faults: "forbidden": it would have more
 * rights, or could do what the member could not undo.
 */
export function memberKeyRights(scope: Scope, wanted: WantedRights): KeyRights {
  const { actions = defaultActions(scope), expiresAt = null } = wanted;
  rejectMoreRights(scope, actions, "You");
  return { actions: inOrder(actions), expiresAt };
}

/** Faults: "conflict": the key has expired; "forbidden": as for `rejectLongerLived`. */
export function rejectRotation(
  key: Pick<ApiKeyRecord, "expiresAt">,
  now: Millis,
  notAfter: Millis | undefined,
): void {
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw new Fault("conflict", "This API key has expired. Create a new one.");
  }
  rejectLongerLived(key, notAfter, "rotate a key");
}

/**
 * For callers that would get a secret of the key. Fault "forbidden": it is valid after `notAfter`, when
 * the key that asks expires.
 */
export function rejectLongerLived(
  { expiresAt }: Pick<ApiKeyRecord, "expiresAt">,
  notAfter: Millis | undefined,
  action: string,
): void {
  if (notAfter === undefined || (expiresAt !== null && expiresAt <= notAfter)) return;
  throw new Fault(
    "forbidden",
    `The API key of this request expires at ${timestamp(notAfter)} UTC, so it may not ${action} that is valid longer.`,
  );
}

/** The expiry of a key that must end by `end`, which is the default. Fault "forbidden": it is later. */
function endBy(end: Millis | null, expiresAt: Millis | null = end): Millis | null {
  if (end !== null && (expiresAt === null || expiresAt > end)) {
    throw new Fault(
      "forbidden",
      `This API key expires at ${timestamp(end)} UTC, so it may not create a key that is valid longer.`,
    );
  }
  return expiresAt;
}

const inOrder = (actions: readonly KeyAction[]): KeyAction[] =>
  KEY_ACTIONS.filter((action) => actions.includes(action));
