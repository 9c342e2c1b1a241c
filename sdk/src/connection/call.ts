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

/** A method that takes the body of an operation, and returns its data, or a field of it. */
export function sends<Id extends DataOperation>(transport: Transport, id: Id): Sends<Id, Data<Id>>;
export function sends<Id extends DataOperation, Field extends keyof Data<Id>>(
  transport: Transport,
  id: Id,
  field: Field,
  retries?: number,
): Sends<Id, Data<Id>[Field]>;
export function sends(transport: Transport, id: OperationId, field?: string, retries?: number) {
  return (body: object | undefined, { signal }: CallOptions = {}) =>
    fieldOf(transport, callOf(id, { body, signal, retries }), field);
}

type Sends<Id extends OperationId, Result> = (
  body: Body<Id>,
  options?: CallOptions,
) => Promise<Result>;

/** A method that takes nothing, and returns the data of an operation, or a field of it. */
export function reads<Id extends DataOperation>(transport: Transport, id: Id): Reads<Data<Id>>;
export function reads<Id extends DataOperation, Field extends keyof Data<Id>>(
  transport: Transport,
  id: Id,
  field: Field,
): Reads<Data<Id>[Field]>;
export function reads(transport: Transport, id: OperationId, field?: string) {
  return ({ signal }: CallOptions = {}) => fieldOf(transport, callOf(id, { signal }), field);
}

async function fieldOf(transport: Transport, request: Call, field?: string): Promise<unknown> {
  const data = await transport.json<Record<string, unknown>>(request);
  return field ? data[field] : data;
}

type Reads<Result> = (options?: CallOptions) => Promise<Result>;

/** A method that takes the query of an operation, and returns its data. */
export function lists<Id extends DataOperation>(
  transport: Transport,
  id: Id,
): (options?: Query<Id> & CallOptions) => Promise<Data<Id>>;
export function lists(transport: Transport, id: OperationId) {
  return ({ signal, ...query }: CallOptions = {}): Promise<unknown> =>
    transport.json(callOf(id, { query, signal }));
}

function callOf(id: OperationId, { parameters, url, ...input }: AnyInput): Call {
  const [path, method] = routeOf(id);
  return { ...input, method, path: url ?? filled(path, parameters) };
}

function routeOf(id: OperationId): [path: string, method: string] {
  const [methods = [], ...rows] = operationPaths.split(" ").map((row) => row.split(","));
  let base = "";
  for (const row of rows) {
    const [given = ""] = row;
    const path = given.startsWith("/") ? given : `${base}/${given}`;
    if (path === given) base = given;
    const column = row.indexOf(id, 1);
    if (column > 0) return [path, methods[column] ?? ""];
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
