import type { AuditedOperation } from "../../../contract/activity.ts";
import type { Actor, Subject } from "../../domain/activity.ts";
import type { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Activity } from "../../insight/activity.ts";
import type { Server } from "../connection/route.ts";
import type { Audited } from "./audited.ts";
import { AES256, checkEncryption, ENCRYPTION } from "./encryption.ts";
import type { S3Operation } from "./operations.ts";
import { rejectUnsupportedHeaders } from "./reject-unsupported.ts";
import type { S3Deps } from "./s3-deps.ts";
import type { S3Input } from "./s3-input.ts";
import { internalError, s3FaultFrom } from "./s3-response.ts";

export interface CallContext {
  readonly server: Server;
  /** What the request names, for the audit log. */
  readonly subject: Subject | null;
}

/** Runs an operation, with its entry in the audit log and in the traffic. */
export function createCallOperation({
  gate,
  activity,
  meter,
  files,
  acceptsEncryption,
}: Pick<S3Deps, "gate" | "activity" | "meter" | "files" | "acceptsEncryption">) {
  return async <Input extends S3Input>(
    operation: S3Operation<Input>,
    input: Input,
    { server, subject }: CallContext,
  ): Promise<Response> => {
    const { request, caller } = input;
    const audited: AuditedRequest | undefined =
      operation.audit === undefined
        ? undefined
        : {
            action: operation.audit,
            actor: caller.actor,
            subject,
            address: gate.clientOf(request, server),
          };
    try {
      const isOfContent = operation.isOfContent === true;
      if (isOfContent) checkEncryption(input.headers, request.method, acceptsEncryption);
      const evaluated = isOfContent ? [ENCRYPTION] : [];
      evaluated.push(...(operation.headers ?? []));
      rejectUnsupportedHeaders(input.headers, request.method, evaluated);
      const result = await operation.handle(input);
      const response = "response" in result ? result.response : result;
      if (isOfContent && acceptsEncryption) response.headers.set(ENCRYPTION, AES256);
      if (audited !== undefined && "response" in result) recordDone(activity, audited, result);
      if (operation.isDelivery === true) meter(response.status);
      return response;
    } catch (error) {
      const fault = s3FaultFrom(error) ?? internalError();
      if (audited !== undefined) recordFailed(activity, audited, fault);
      if (operation.isDelivery === true) meter(fault.status);
      throw await files.explainNoSpace(caller, error);
    }
  };
}

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
