import type { AuditedOperation } from "../../../contract/activity.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { SUBRESOURCES } from "../../semantics/s3-signature/subresources.ts";
import type { Audited } from "./audited.ts";
import { rejectUnsupportedParameters } from "./reject-unsupported.ts";
import type { BucketInput, ObjectInput, S3Input } from "./s3-input.ts";

/** One operation of the S3 API. */
export interface S3Operation<Input> {
  readonly handle: (input: Input) => Promise<Response | Audited>;
  /** The entry in the audit log; left out: none. */
  readonly audit?: AuditedOperation;
  /** It sends an object: traffic counts it. */
  readonly isDelivery?: true;
  /** It reads or stores content, so that the client may ask how that is encrypted. */
  readonly isOfContent?: true;
  /** The headers `x-amz-…` and `if-…` that it evaluates. Others that mean something are refused. */
  readonly headers?: readonly string[];
  /** The query parameters of a request that changes something, besides the subresource. */
  readonly parameters?: readonly string[];
}

/** By method, and the subresource after a question mark. "COPY": PUT with `x-amz-copy-source`. */
export type OperationTable<Input> = Readonly<Record<string, S3Operation<Input>>>;

export interface S3Operations {
  readonly service: OperationTable<S3Input>;
  readonly bucket: OperationTable<BucketInput>;
  readonly object: OperationTable<ObjectInput>;
}

/** S3Fault "NotImplemented": the server has no such operation, or not with these parameters. */
export function findOperation<Input>(
  table: OperationTable<Input>,
  given: string,
  { headers, query }: Pick<S3Input, "headers" | "query">,
): S3Operation<Input> {
  const subresource = SUBRESOURCES.find((name) => query.has(name));
  const name = operationName(given, { headers, query });
  const operation = Object.hasOwn(table, name) ? table[name] : undefined;
  if (operation !== undefined) {
    const parameters = [...(operation.parameters ?? []), ...(subresource ? [subresource] : [])];
    rejectUnsupportedParameters({ method: given, headers, names: query.names }, parameters);
    return operation;
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
