import type { Subject } from "../../domain/activity.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { allows } from "../../domain/callers/scope.ts";
import type { KeyAction } from "../../domain/records.ts";
import type { Server } from "../connection/route.ts";
import type { Audit, AuditEntry, AuthorizeCall } from "../connection/run-operation.ts";
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

/** Authorizes the caller of an operation and runs it, with its entry in the audit log. */
export function createCallOperation({
  gate,
  runOperation,
  acceptsEncryption,
}: Pick<S3Deps, "gate" | "runOperation" | "acceptsEncryption">) {
  async function run<Input extends S3Input>(
    { row, handle, find }: FoundOperation<Input>,
    input: Input,
    authorize: AuthorizeCall,
  ): Promise<Response | Audited> {
    const { request } = input;
    const isOfContent = row.isOfContent === true;
    if (isOfContent) checkEncryption(input.headers, request.method, acceptsEncryption);
    const evaluated = isOfContent ? [ENCRYPTION] : [];
    evaluated.push(...(row.headers ?? []));
    rejectUnsupportedHeaders(input.headers, request.method, evaluated);
    const caller = await authorize(() => find(input));
    const result = await handle({ ...input, caller });
    if (isOfContent && acceptsEncryption) responseOf(result).headers.set(ENCRYPTION, AES256);
    return result;
  }

  return async <Input extends S3Input>(
    operation: FoundOperation<Input>,
    input: Input,
    { server, subject }: CallContext,
  ): Promise<Response> => {
    const { caller } = input;
    const { audit: action, permission } = operation.row;
    const audit: Audit<Response | Audited> | undefined =
      action === undefined
        ? undefined
        : {
            action,
            address: gate.clientOf(input.request, server),
            done: (result) => entryOf(result, subject),
            failed(error) {
              const { status, code, message } = s3FaultFrom(error) ?? internalError();
              return { status, subject, detail: { code, message, ...API } };
            },
          };
    return responseOf(
      await runOperation(
        { caller, actions: actionsFor(caller, permission) },
        (authorize) => run(operation, input, authorize),
        audit,
      ),
    );
  };
}

const actionsFor = ({ scope }: Caller, { actions, or }: S3Permission): readonly KeyAction[] =>
  or !== undefined && allows(scope, or) ? [or] : actions;

const API = { api: "S3" };

const responseOf = (result: Response | Audited): Response =>
  "response" in result ? result.response : result;

const entryOf = (result: Response | Audited, subject: Subject | null): AuditEntry | undefined =>
  "response" in result
    ? {
        status: result.response.status,
        subject: result.subject ?? subject,
        detail: { ...result.detail, ...API },
      }
    : undefined;
