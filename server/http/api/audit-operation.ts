import type { AuditDetails, AuditSubject } from "../../../contract/audit.ts";
import { type Operation, successStatus } from "../../../contract/operation.ts";
import type { ApiKeys } from "../../access/api-keys.ts";
import type { Detail, Subject } from "../../domain/activity.ts";
import { SYSTEM } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { Files } from "../../files/files.ts";
import { isListed, type ResponseData } from "../connection/json-stream.ts";
import { statusOf, UNEXPECTED } from "../connection/reply.ts";
import { type Audit, limitText } from "../connection/run-operation.ts";
import type { CheckedInput } from "./handlers/handler.ts";

export interface AuditDeps {
  readonly files: Pick<Files, "look">;
  readonly keys: Pick<ApiKeys, "list">;
}

interface OperationAudit extends Audit<ResponseData | Response> {
  /** See `RequestContext`. */
  addAuditDetails(details: AuditDetails): void;
}

/** The entry in the audit log of a call of an operation. undefined: the contract's row has none. */
export function auditOperation(
  operation: Operation,
  { body, client }: Pick<CheckedInput, "body" | "client">,
  deps: AuditDeps,
): OperationAudit | undefined {
  const { id, audit } = operation;
  if (audit === null) return undefined;
  const status = successStatus(operation);
  let before: AuditDetails = {};
  let subject: Subject | null = null;
  let added: AuditDetails = {};

  return {
    action: id,
    address: client,
    async begin() {
      before = audit.before?.(body) ?? {};
      subject = await subjectOf(before, deps);
    },
    addAuditDetails(details) {
      added = details;
    },
    async done(data) {
      if (audit.ignores?.(status)) return undefined;
      const answered =
        data instanceof Response || isListed(data) ? {} : (audit.after?.(data) ?? {});
      const after = { ...added, ...answered };
      if (after.isUnchanged) return undefined;
      const { failure } = after;
      return {
        hasFailed: failure !== undefined,
        status,
        actor: after.actor,
        subject: (await subjectOf(after, deps)) ?? subject,
        detail: {
          ...before.detail,
          ...(await destinationOf(before, deps)),
          ...added.detail,
          ...answered.detail,
          ...(failure === undefined ? {} : { message: failure }),
        },
      };
    },
    failed(error) {
      const fault = error instanceof Fault ? error : undefined;
      if (fault !== undefined && audit.ignores?.(statusOf(fault), fault.code)) return undefined;
      const { code, message } = fault ?? UNEXPECTED;
      return {
        status: fault === undefined ? 500 : statusOf(fault),
        subject,
        detail: { ...before.detail, code, message },
      };
    },
  };
}

async function subjectOf({ subject }: AuditDetails, deps: AuditDeps): Promise<Subject | null> {
  if (subject === undefined) return null;
  const { kind, id } = subject;
  const name = subject.name === undefined ? await currentName(subject, deps) : subject.name;
  return { kind, id: id && limitText(id, MAX_ID_LENGTH), name: name && limitText(name) };
}

async function destinationOf({ destination }: AuditDetails, deps: AuditDeps): Promise<Detail> {
  if (destination === undefined) return {};
  const key = await currentName({ kind: "folder", id: destination }, deps);
  return key === null ? {} : { destination: key };
}

/** null: nothing has this id, or the lookup fails. */
async function currentName(
  { kind, id }: AuditSubject,
  { files, keys }: AuditDeps,
): Promise<string | null> {
  if (id === null) return null;
  try {
    if (kind === "file") return (await files.look.file(SYSTEM, { id })).key;
    if (kind === "folder") return (await files.look.folder(SYSTEM, { id })).key;
    if (kind === "key") return (await keys.list()).find((key) => key.id === id)?.name ?? null;
  } catch {
    return null;
  }
  return null;
}

const MAX_ID_LENGTH = 64;
