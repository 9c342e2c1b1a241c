import type { ActivityObject } from "./api.ts";
import type { ErrorCode } from "./text/error-codes.ts";

/** The subject of the audited request. */
export interface AuditSubject {
  readonly kind: NonNullable<ActivityObject["subject"]>["kind"];
  readonly id: string | null;
  /**
   * The key of a file or folder, the name of an API key, the email address of an account.
   * Left out: the recorder looks up the current name of `id`.
   */
  readonly name?: string | null;
}

/** The details of a request in the audit log, besides its action, address and outcome. No secrets. */
export interface AuditDetails {
  /** Left out: the caller. */
  readonly actor?: ActivityObject["actor"];
  readonly subject?: AuditSubject | undefined;
  /** The id of the folder that the subject goes to. If it does, the recorder adds its key as `detail.destination`. */
  readonly destination?: string | undefined;
  readonly detail?: ActivityObject["detail"];
  /** Why nothing was done, although the request itself has succeeded. */
  readonly failure?: string | undefined;
  /** The request had nothing to change, so that it has no entry. */
  readonly isUnchanged?: boolean;
}

/**
 * Maps a request of an audited operation to its entry in the audit log. The recorder limits the
 * length of every text. An audited operation responds with plain values, never with batches.
 */
export interface AuditMapper<Body, Data> {
  /** From the checked body, before the operation runs. Must not throw. */
  before?(body: Body): AuditDetails;
  /** Whether a response with this status, and this code of a failure, is left out, because the client goes on with another request. */
  ignores?(status: number, code?: ErrorCode): boolean;
  /** Overrides and adds to `before` once the operation has succeeded. */
  after?(data: Data): AuditDetails;
}

interface OneByKey {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
}

/** The subject that a request names by its id or its key. */
export const subjectBy = (
  kind: "file" | "folder",
  { id, key }: OneByKey,
): AuditSubject | undefined => {
  if (id !== undefined) return { kind, id };
  return key === undefined ? undefined : { kind, id: null, name: key };
};

/** The fields that a request sets. */
export function givenFields(
  fields: Readonly<Record<string, ActivityObject["detail"][string] | undefined>>,
): ActivityObject["detail"] {
  const given: ActivityObject["detail"] = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) given[name] = value;
  return given;
}
