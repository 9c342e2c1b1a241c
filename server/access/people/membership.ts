import type { GrantRecord } from "../../domain/accounts.ts";

/** The folders in which a member may work, and the one of a request. */
export interface Membership {
  readonly grants: readonly GrantRecord[];
  /** The id of a grant that the request names; null: none. */
  readonly named: string | null;
  /** undefined: the request has none, so it reaches nothing. */
  readonly space: GrantRecord | undefined;
}

/** A member with one grant need not name it. */
export function membershipOf(grants: readonly GrantRecord[], named: string | null): Membership {
  const only = grants.length === 1 ? grants[0] : undefined;
  const space = named === null ? only : grants.find(({ id }) => id === named);
  return { grants, named, space };
}
