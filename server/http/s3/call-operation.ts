import type { AuditedOperation } from "../../../contract/activity.ts";
import type { Actor, Subject } from "../../domain/activity.ts";
import { authorize } from "../../domain/callers/authorize.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { allows } from "../../domain/callers/scope.ts";
import type { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { KeyAction } from "../../domain/records.ts";
import type { Activity } from "../../insight/activity.ts";
import type { Server } from "../connection/route.ts";
import type { Audited } from "./audited.ts";
import { AES256, checkEncryption, ENCRYPTION } from "./encryption.ts";
import type { FoundOperation } from "./operations.ts";
import { rejectUnsupportedHeaders } from "./reject-unsupported.ts";
import type { S3Deps } from "./s3-deps.ts";
import type { S3Input } from "./s3-input.ts";
import type { S3Permission } from "./s3-operations.ts";
import { internalError, s3FaultFrom } from "./s3-response.ts";

export interface CallContext {
  readonly server: Server;
  /** What the request names, for the audit log. */
  readonly subject: Subject | null;
}

/** Authorizes the caller of an operation and runs it, with its entry in the audit log and in the traffic. */
export function createCallOperation({
  gate,
  activity,
  files,
  acceptsEncryption,
}: Pick<S3Deps, "gate" | "activity" | "files" | "acceptsEncryption">) {
  return async <Input extends S3Input>(
    { row, handle, find }: FoundOperation<Input>,
    input: Input,
    { server, subject }: CallContext,
  ): Promise<Response> => {
    const { request, caller } = input;
    const audited: AuditedRequest | undefined =
      row.audit === undefined
        ? undefined
        : {
            action: row.audit,
            actor: caller.actor,
            subject,
            address: gate.clientOf(request, server),
          };
    try {
      const isOfContent = row.isOfContent === true;
      if (isOfContent) checkEncryption(input.headers, request.method, acceptsEncryption);
      const evaluated = isOfContent ? [ENCRYPTION] : [];
      evaluated.push(...(row.headers ?? []));
      rejectUnsupportedHeaders(input.headers, request.method, evaluated);
      const actions = actionsFor(caller, row.permission);
      const authorized = await authorize(caller, actions, () => find(input));
      const result = await handle({ ...input, caller: authorized });
      const response = "response" in result ? result.response : result;
      if (isOfContent && acceptsEncryption) response.headers.set(ENCRYPTION, AES256);
      if (audited !== undefined && "response" in result) recordDone(activity, audited, result);
      return response;
    } catch (error) {
      const fault = s3FaultFrom(error) ?? internalError();
      if (audited !== undefined) recordFailed(activity, audited, fault);
      throw await files.explainNoSpace(caller, error);
    }
  };
}

const actionsFor = ({ scope }: Caller, { actions, or }: S3Permission): readonly KeyAction[] =>
  or !== undefined && allows(scope, or) ? [or] : actions;

type Log = Pick<Activity, "record">;

interface AuditedRequest {
  readonly action: AuditedOperation;
  readonly actor: Actor;
  readonly address: string;
  /** The bucket or object that the request names, for the activity log. */
  readonly subject: Subject | null;
}

/** As long as the longest key. */
const MAX_TEXT = 4096;

function recordDone(
  log: Log,
  { action, actor, address, subject }: AuditedRequest,
  done: Audited,
): void {
  log.record({
    action,
    actor,
    address,
    outcome: "done",
    status: done.response.status,
    subject: done.subject ?? subject,
    detail: { ...done.detail, api: "S3" },
  });
}

function recordFailed(
  log: Log,
  { action, actor, address, subject }: AuditedRequest,
  { status, code, message }: S3Fault,
): void {
  log.record({
    action,
    actor,
    address,
    outcome: "failed",
    status,
    subject,
    detail: { code, message: message.slice(0, MAX_TEXT).toWellFormed(), api: "S3" },
  });
}
