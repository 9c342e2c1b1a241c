import type { ApiKeyRecord, Millis } from "../../domain/records.ts";
import {
  childKeyRights,
  freeKeyRights,
  type KeyRights,
  memberKeyRights,
  type WantedRights,
} from "../key-rights.ts";
import type { Member } from "./scopes.ts";

/** Who reaches only some keys. */
export type KeyMaker = ApiKeyRecord | Member;

export const memberOf = (maker: KeyMaker | undefined): Member | undefined =>
  maker !== undefined && "scope" in maker ? maker : undefined;

export const keyOf = (maker: KeyMaker | undefined): ApiKeyRecord | undefined =>
  maker !== undefined && "scope" in maker ? undefined : maker;

/** Which keys a change may be about. */
export const reachOf = (maker: KeyMaker | undefined) => ({
  ancestorId: keyOf(maker)?.id,
  accountId: memberOf(maker)?.accountId,
});

/** The rights of a new key of the maker; undefined: of a caller without limits. Faults: those of the rights. */
export function rightsFor(
  maker: KeyMaker | undefined,
  wanted: WantedRights,
  notAfter: Millis | undefined,
): KeyRights {
  const member = memberOf(maker);
  if (member !== undefined) return memberKeyRights(member.scope, wanted);
  const key = keyOf(maker);
  return key === undefined ? freeKeyRights(wanted, notAfter) : childKeyRights(key, wanted);
}
