import { type Api, operationPaths } from "../../../contract/api.ts";
import type { CallOptions } from "./options.ts";
import type { Call, Transport } from "./transport.ts";

/** The operations of the API. */
export type OperationId = keyof Api;

/** The operations that return data, not a file. */
export type DataOperation = {
  [Id in OperationId]: Api[Id] extends { readonly data: unknown } ? Id : never;
}[OperationId];

/** The data that an operation returns. */
export type Data<Id extends DataOperation> = Api[Id]["data"];

/** The JSON body of an operation. */
export type Body<Id extends OperationId> = Api[Id] extends { readonly body: infer Fields }
  ? Fields
  : never;

/** The query parameters of an operation. */
export type Query<Id extends OperationId> = Api[Id] extends { readonly query?: infer Fields }
  ? NonNullable<Fields>
  : never;

/** The query, the body and the path parameters of an operation, and how it is sent. */
export type CallInput<Id extends OperationId> = Pick<
  Call,
  "content" | "headers" | "isLong" | "retries" | "signal"
> &
  Omit<Api[Id], "data" | "dryRun" | "parameters"> &
  (Api[Id] extends { readonly parameters: infer Parameters }
    ? { readonly parameters: Parameters } | { readonly url: string }
    : unknown);

/** The input may be left out if nothing in it is required. */
export type CallArguments<Id extends OperationId> =
  Record<never, never> extends CallInput<Id>
    ? [input?: CallInput<Id> | undefined]
    : [input: CallInput<Id>];

interface AnyInput extends Omit<Call, "method" | "path"> {
  readonly parameters?: Readonly<Record<string, string>>;
  /** The URL of an upload or a batch, instead of `parameters`. */
  readonly url?: string;
}

/** Sends the request of an operation. Returns its data. */
export function call<Id extends DataOperation>(
  transport: Transport,
  id: Id,
  ...input: CallArguments<Id>
): Promise<Data<Id>>;
export function call(transport: Transport, id: OperationId, input: AnyInput = {}) {
  return transport.json<unknown>(callOf(id, input));
}

/** Sends the request of an operation. Returns the response as soon as its headers have arrived. */
export function open<Id extends OperationId>(
  transport: Transport,
  id: Id,
  ...input: CallArguments<Id>
): Promise<Response>;
export function open(transport: Transport, id: OperationId, input: AnyInput = {}) {
  return transport.open(callOf(id, input));
}

/** A method that takes the body of an operation, and returns a field of its data. */
export function sends<Id extends DataOperation, Field extends keyof Data<Id>>(
  transport: Transport,
  id: Id,
  field: Field,
  retries?: number,
): (body: Body<Id>, options?: CallOptions) => Promise<Data<Id>[Field]>;
export function sends(transport: Transport, id: OperationId, field: string, retries?: number) {
  return async (body: object | undefined, { signal }: CallOptions = {}): Promise<unknown> =>
    (await transport.json<Record<string, unknown>>(callOf(id, { body, signal, retries })))[field];
}

/** A method that takes nothing, and returns a field of the data of an operation. */
export function reads<Id extends DataOperation, Field extends keyof Data<Id>>(
  transport: Transport,
  id: Id,
  field: Field,
): (options?: CallOptions) => Promise<Data<Id>[Field]>;
export function reads(transport: Transport, id: OperationId, field: string) {
  return async ({ signal }: CallOptions = {}): Promise<unknown> =>
    (await transport.json<Record<string, unknown>>(callOf(id, { signal })))[field];
}

function callOf(id: OperationId, { parameters, url, ...input }: AnyInput): Call {
  const [path, method] = routeOf(id);
  return { ...input, method, path: url ?? filled(path, parameters) };
}

function routeOf(id: OperationId): [path: string, method: string] {
  for (const [path, operations] of Object.entries(operationPaths)) {
    const words = operations.split(" ");
    const at = words.indexOf(id);
    if (at > 0) return [path, words[at - 1] ?? ""];
  }
  return ["", ""];
}

/** The path of an operation, with its parameters. */
export function pathOf(id: OperationId, parameters?: AnyInput["parameters"]): string {
  return filled(routeOf(id)[0], parameters);
}

function filled(path: string, parameters: AnyInput["parameters"] = {}): string {
  return path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, isPath: string) => {
    const value = parameters[name] ?? "";
    return (isPath ? value.split("/") : [value]).map(encodeURIComponent).join("/");
  });
}
