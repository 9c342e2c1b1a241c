import type { z } from "zod";
import type { Operation } from "../../../contract/operation.ts";
import { type Operations, operations } from "../../../contract/operations.ts";
import type { Identity } from "../../access/authenticate.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { takeDryRun } from "../api/dry-runs.ts";
import type { HandledOperation, UntypedHandlers } from "../api/handlers/handler.ts";
import { check } from "../api/input.ts";
import { isListed } from "../connection/json-stream.ts";
import type { StillAuthenticated } from "../connection/still-authenticated.ts";

type DataOf<Id extends HandledOperation> = Operations[Id] extends {
  readonly response: { readonly data: infer S extends z.ZodType };
}
  ? z.output<S>
  : never;

/** The input of an operation, as a client sends it. */
export interface OperationInput {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, string>>;
  /** The content of a file. */
  readonly content?: Uint8Array<ArrayBuffer>;
}

/**
 * Runs an operation of the API as a request for it would, but without lists that are read while they are
 * sent. Faults: those of the operation; "invalid": the input does not match its schemas.
 */
export type CallOperation = <Id extends HandledOperation>(
  id: Id,
  input: OperationInput,
) => Promise<DataOf<Id>>;

/** The request that makes the calls. */
export interface CallContext extends StillAuthenticated {
  /** The client's address. */
  readonly client: string;
  readonly identity: Identity;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

export function createCallOperation(
  handlers: UntypedHandlers,
  context: CallContext,
): CallOperation {
  async function call(id: HandledOperation, input: OperationInput): Promise<unknown> {
    const operation: Operation = operations[id];
    const query = checked(operation.query, input.query);
    const { body: given } = operation;
    const body = checked(
      given !== undefined && "json" in given ? given.json : undefined,
      input.body,
    );
    const isDryRun = takeDryRun(query, body);
    const data = await handlers[id]({
      ...context,
      caller: isDryRun ? { ...context.caller, isDryRun } : context.caller,
      query: query ?? {},
      body,
      parameters: input.parameters ?? {},
      request: requestFor(operation, input.content, context.signal),
      addAuditDetails: () => undefined,
      setStatus: () => undefined,
      setCookie: () => undefined,
      setHeader: () => undefined,
    });
    if (data instanceof Response || isListed(data)) throw new Error(`${id} returns no plain data.`);
    return data;
  }
  // The handlers are typed by the contract; `UntypedHandlers` has forgotten it.
  return call as CallOperation;
}

/** Handlers read headers, the body and the signal of a request, and those of the MCP request are about something else. */
function requestFor(
  { method, path }: Operation,
  content: Uint8Array<ArrayBuffer> | undefined,
  signal: AbortSignal,
): Request {
  const url = `http://localhost${path}`;
  if (content === undefined) {
    return new Request(url, { method, signal, headers: { "Content-Type": "application/json" } });
  }
  const headers = { "Content-Length": String(content.length) };
  return new Request(url, { method, signal, headers, body: content });
}

function checked(
  schema: z.ZodObject | undefined,
  given: Readonly<Record<string, unknown>> = {},
): unknown {
  if (schema === undefined) return undefined;
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return check(schema, Object.fromEntries(fields));
}
