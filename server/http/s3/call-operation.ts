import type { Subject } from "../../domain/activity.ts";
import type { Server } from "../connection/route.ts";
import type { S3Operation } from "./operations.ts";
import { type AuditedRequest, recordDone, recordFailed } from "./record-s3.ts";
import { rejectUnsupportedHeaders } from "./reject-unsupported.ts";
import type { S3Input } from "./s3-input.ts";
import type { S3Deps } from "./s3-parts.ts";
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
}: Pick<S3Deps, "gate" | "activity" | "meter" | "files">) {
  return async <Input extends S3Input>(
    operation: S3Operation<Input>,
    input: Input,
    { server, subject }: CallContext,
  ): Promise<Response> => {
    const { request, actor } = input;
    const audited: AuditedRequest | undefined =
      operation.audit === undefined
        ? undefined
        : { action: operation.audit, actor, subject, address: gate.clientOf(request, server) };
    try {
      rejectUnsupportedHeaders(input.headers, request.method, operation.headers ?? []);
      const result = await operation.handle(input);
      const response = "response" in result ? result.response : result;
      if (audited !== undefined && "response" in result) recordDone(activity, audited, result);
      if (operation.isDelivery === true) meter(response.status);
      return response;
    } catch (error) {
      const fault = s3FaultFrom(error) ?? internalError();
      if (audited !== undefined) recordFailed(activity, audited, fault);
      if (operation.isDelivery === true) meter(fault.status);
      throw await files.explainNoSpace(error, input.scope);
    }
  };
}
