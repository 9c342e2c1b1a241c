import { Fault } from "../rules/fault.ts";
import { type ApiKeyRecord, KEY_ACTIONS, type KeyAction, type Millis } from "../rules/records.ts";
import { allows, forbidden } from "../rules/scope.ts";
import { timestamp } from "../rules/timestamp.ts";

/** The rights of a new API key that do not depend on folders. */
export interface KeyRights {
  readonly actions: readonly KeyAction[];
  /** null: never. */
  readonly expiresAt: Millis | null;
}

/** What is asked for a new API key. undefined: the same as its parent. */
export type WantedRights = { readonly [Right in keyof KeyRights]: KeyRights[Right] | undefined };

/** The rights of a key without a parent. */
export const freeKeyRights = ({ actions, expiresAt = null }: WantedRights): KeyRights => ({
  actions: actions === undefined ? ["admin"] : inOrder(actions),
  expiresAt,
});

/**
 * The rights of a key that `parent` creates: a subset of its actions, ending no later. Faults:
 * "forbidden": the parent may not create keys, or not with these rights.
 */
export function childKeyRights(parent: ApiKeyRecord, wanted: WantedRights): KeyRights {
  const scope = { actions: new Set(parent.actions), folderIds: parent.folderIds };
  if (!allows(scope, "keys")) throw forbidden("keys");
  const { actions = parent.actions, expiresAt = parent.expiresAt } = wanted;
  const missing = actions.filter((action) => !allows(scope, action));
  if (missing.length > 0) {
    const names = inOrder(missing).map((action) => `\`${action}\``);
    throw new Fault(
      "forbidden",
      `This API key may not create a key with rights that it lacks: ${names.join(", ")}.`,
    );
  }
  const end = parent.expiresAt;
  if (end !== null && (expiresAt === null || expiresAt > end)) {
    throw new Fault(
      "forbidden",
      `This API key expires at ${timestamp(end)} UTC, so it may not create a key that is valid longer.`,
    );
  }
  return { actions: inOrder(actions), expiresAt };
}

const inOrder = (actions: readonly KeyAction[]): KeyAction[] =>
  KEY_ACTIONS.filter((action) => actions.includes(action));
