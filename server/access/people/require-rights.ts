import { Fault } from "../../domain/faults/fault.ts";
import type { Identity } from "../authenticate.ts";
import { type Membership, membershipOf } from "./membership.ts";

/** Why a member's request has no space. */
function missingSpace({ grants, named }: Membership): Fault {
  if (grants.length === 0) {
    return new Fault(
      "forbidden",
      "You have no access to any folder yet. Ask an owner of the instance for it.",
      { code: "no_grant" },
    );
  }
  if (named !== null) {
    return new Fault("forbidden", "`Holdall-Space` is none of your spaces.", {
      code: "unknown_space",
    });
  }
  return new Fault(
    "invalid",
    "You have several spaces: name one in the header `Holdall-Space`, or in the query as `space`.",
    { code: "space_required", details: { spaces: grants.map(({ id }) => id) } },
  );
}

/** The query parameter that names a space, instead of the header. */
export const SPACE_PARAMETER = "space";

/** The message of requests whose session lacks a second factor. */
export const secondFactorRequired = (): Fault =>
  new Fault(
    "forbidden",
    "This instance requires two-step sign-in: turn it on for your account first.",
    { code: "second_factor_required" },
  );

/**
 * Faults: "forbidden" or "invalid": a member's request has no space; "forbidden": every account needs a second factor,
 * and the session has none.
 */
export function requireRights(identity: Identity): void {
  if (identity.kind === "key") return;
  if (identity.lacksSecondFactor) throw secondFactorRequired();
  const { account, membership } = identity;
  if (account.role === "owner" || membership?.space !== undefined) return;
  throw missingSpace(membership ?? membershipOf([], null));
}
