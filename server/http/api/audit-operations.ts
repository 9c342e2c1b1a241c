import type { AuditDetails, AuditMapper, AuditSubject } from "../../../contract/audit.ts";
import { type Operation, successStatus } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import type { ApiKeys } from "../../access/api-keys.ts";
import type { Detail, Subject } from "../../domain/activity.ts";
import { SYSTEM } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { Files } from "../../files/files.ts";
import type { Activity } from "../../insight/activity.ts";
import { isListed } from "../connection/json-stream.ts";
import { statusOf, UNEXPECTED } from "../connection/reply.ts";
import type { UntypedHandler, UntypedHandlers } from "./handlers/handler.ts";

export interface AuditDeps {
  readonly activity: Pick<Activity, "record">;
  readonly files: Pick<Files, "look">;
  readonly keys: Pick<ApiKeys, "list">;
}

/**
 * The handlers, with an entry in the audit log for every request that reaches an audited operation:
 * what it did, or why it failed. A request that the client cancels has no entry.
 */
export function auditOperations(handlers: UntypedHandlers, deps: AuditDeps): UntypedHandlers {
  const recorded = { ...handlers };
  for (const operation of Object.values(operations)) {
    const { id, audit } = operation;
    if (audit !== null) recorded[id] = recordCalls(operation, recorded[id], audit, deps);
  }
  return recorded;
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
    const base = { action, address: input.client };
    let added: AuditDetails = {};
    const addAuditDetails = (details: AuditDetails): void => {
      added = details;
    };
    try {
      const data = await handler({ ...input, addAuditDetails });
      if (audit.ignores?.(status)) return data;
      const answered =
        data instanceof Response || isListed(data) ? {} : (audit.after?.(data) ?? {});
      const after = { ...added, ...answered };
      if (after.isUnchanged) return data;
      const { failure } = after;
      deps.activity.record({
        ...base,
        outcome: failure === undefined ? "done" : "failed",
        status,
        actor: after.actor ?? input.caller.actor,
        subject: (await subjectOf(after, deps)) ?? subject,
        detail: limitTexts({
          ...before.detail,
          ...(await destinationOf(before, deps)),
          ...added.detail,
          ...answered.detail,
          ...(failure === undefined ? {} : { message: failure }),
        }),
      });
      return data;
    } catch (error) {
      // The client gave up, as in a cancelled upload.
      if (error instanceof ConnectionClosed) throw error;
      const isFault = error instanceof Fault;
      if (isFault && audit.ignores?.(statusOf(error), error.code)) throw error;
      const { code, message } = isFault ? error : UNEXPECTED;
      deps.activity.record({
        ...base,
        outcome: "failed",
        status: isFault ? statusOf(error) : 500,
        actor: input.caller.actor,
        subject,
        detail: limitTexts({ ...before.detail, code, message }),
      });
      throw error;
    }
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
/** As long as the longest key. */
const MAX_TEXT_LENGTH = 4096;

/** A request's text may be a megabyte long and may contain lone surrogates. */
const limitText = (text: string, max = MAX_TEXT_LENGTH): string =>
  text.slice(0, max).toWellFormed();

function limitTexts(detail: Detail): Detail {
  const limited: Record<string, Detail[string]> = {};
  for (const [name, value] of Object.entries(detail)) {
    limited[name] = typeof value === "string" ? limitText(value) : value;
  }
  return limited;
}
