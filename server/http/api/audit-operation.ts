import type { AuditDetails, AuditMapper, AuditSubject } from "../../../contract/audit.ts";
import { type Operation, successStatus } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import type { ApiKeys } from "../../access/api-keys.ts";
import type { Detail, Subject } from "../../domain/activity.ts";
import { SYSTEM } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { Files } from "../../files/files.ts";
import { isListed } from "../connection/json-stream.ts";
import { statusOf, UNEXPECTED } from "../connection/reply.ts";
import { limitText, type RunOperation } from "../connection/run-operation.ts";
import type { UntypedHandler, UntypedHandlers } from "./handlers/handler.ts";

export interface AuditDeps {
  readonly run: RunOperation;
  readonly files: Pick<Files, "look">;
  readonly keys: Pick<ApiKeys, "list">;
}

/** The handlers, each run as an operation, with an entry in the audit log if the contract's row says so. */
export function auditOperations(handlers: UntypedHandlers, deps: AuditDeps): UntypedHandlers {
  const run: Record<string, UntypedHandler> = {};
  for (const operation of Object.values(operations)) {
    if (operation.id === "hostFile") continue;
    const { id, audit } = operation;
    const handler = handlers[id];
    run[id] =
      audit === null
        ? (input) => deps.run(input.caller, () => handler(input))
        : recordCalls(operation, handler, audit, deps);
  }
  return { ...handlers, ...run };
}

function recordCalls(
  operation: Operation,
  handler: UntypedHandler,
  audit: AuditMapper<unknown, unknown>,
  deps: AuditDeps,
): UntypedHandler {
  const action = operation.id;
  const status = successStatus(operation);

  return async (input) => {
    const before = audit.before?.(input.body) ?? {};
    const subject = await subjectOf(before, deps);
    let added: AuditDetails = {};
    const addAuditDetails = (details: AuditDetails): void => {
      added = details;
    };
    return deps.run(input.caller, () => handler({ ...input, addAuditDetails }), {
      action,
      address: input.client,
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
    });
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
