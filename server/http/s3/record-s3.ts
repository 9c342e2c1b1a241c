import type { AuditedOperation } from "../../../contract/activity.ts";
import type { Actor, Subject } from "../../domain/activity.ts";
import type { S3Fault } from "../../domain/s3-fault.ts";
import type { Activity } from "../../insight/activity.ts";
import type { Audited } from "./audited.ts";

type Log = Pick<Activity, "record">;

export interface AuditedRequest {
  readonly action: AuditedOperation;
  readonly actor: Actor;
  readonly address: string;
  /** What the request names. */
  readonly subject: Subject | null;
}

/** As long as the longest key. */
const MAX_TEXT = 4096;

export function recordDone(
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

export function recordFailed(
  log: Log,
  { action, actor, address, subject }: AuditedRequest,
  { status, message }: S3Fault,
): void {
  log.record({
    action,
    actor,
    address,
    outcome: "failed",
    status,
    subject,
    detail: { message: message.slice(0, MAX_TEXT).toWellFormed(), api: "S3" },
  });
}
