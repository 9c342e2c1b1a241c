import type { Authorized } from "../../domain/callers/authorize.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { KeyAction } from "../../domain/records.ts";
import { SUBRESOURCES } from "../../semantics/s3-signature/subresources.ts";
import type { Audited } from "./audited.ts";
import { rejectUnsupportedParameters } from "./reject-unsupported.ts";
import type { S3Input } from "./s3-input.ts";
import type { S3Operation, S3Subject } from "./s3-operations.ts";

/** A handler of any operation. */
export type S3Handler<Input> = (
  input: Input & { readonly caller: Authorized<KeyAction> },
) => Promise<Response | Audited>;

/** An operation, with all that it takes to run it. */
export interface FoundOperation<Input> {
  readonly row: S3Operation;
  readonly handle: S3Handler<Input>;
  /** Looks up its subject. */
  readonly find: (input: Input) => Promise<unknown>;
}

export interface OperationTable<Input, Subject extends S3Subject> {
  readonly rows: Readonly<Record<string, S3Operation<Subject>>>;
  readonly handlers: Readonly<Record<string, S3Handler<Input>>>;
  readonly finders: Readonly<Record<Subject, (input: Input) => Promise<unknown>>>;
}

/** S3Fault "NotImplemented": the server has no such operation, or not with these parameters. */
export function findOperation<Input, Subject extends S3Subject>(
  { rows, handlers, finders }: OperationTable<Input, Subject>,
  given: string,
  { headers, query }: Pick<S3Input, "headers" | "query">,
): FoundOperation<Input> {
  const subresource = SUBRESOURCES.find((name) => query.has(name));
  const name = operationName(given, { headers, query });
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  const handle = handlers[name];
  if (row !== undefined && handle !== undefined) {
    const parameters = [...(row.parameters ?? []), ...(subresource ? [subresource] : [])];
    rejectUnsupportedParameters({ method: given, headers, names: query.names }, parameters);
    return { row, handle, find: finders[row.permission.subject] };
  }
  throw subresource === undefined
    ? new S3Fault("MethodNotAllowed", `${given} is not possible here.`)
    : new S3Fault("NotImplemented", `The server does not support ${given} ?${subresource}.`);
}

/** The name of an operation in its table. */
export function operationName(
  given: string,
  { headers, query }: Pick<S3Input, "headers" | "query">,
): string {
  const isCopy = given === "PUT" && headers.has("x-amz-copy-source");
  const method = isCopy ? "COPY" : given;
  const subresource = SUBRESOURCES.find((name) => query.has(name));
  return subresource === undefined ? method : `${method}?${subresource}`;
}
