import type { z } from "zod";
import type { Operation } from "../../../contract/operation.ts";
import type { OperationId, Operations } from "../../../contract/operations.ts";
import type { Caller } from "../../access/authenticate.ts";

type SchemaOf<O, Field extends string> = O extends { readonly [F in Field]: infer S } ? S : never;

type QueryOf<O> =
  SchemaOf<O, "query"> extends infer S extends z.ZodObject ? z.output<S> : Record<never, never>;

type BodyOf<O> =
  SchemaOf<O, "body"> extends { readonly json: infer S extends z.ZodObject }
    ? z.output<S>
    : undefined;

/** A list in an answer may come in batches, read as they are sent; what follows it, afterwards. */
type Streamable<Data> = Data extends unknown
  ? {
      [F in keyof Data]: Data[F] extends (infer E)[]
        ? Data[F] | AsyncIterable<E[]>
        : [ListsOf<Data>] extends [never]
          ? Data[F]
          : Data[F] | (() => Data[F]);
    }
  : never;

type ListsOf<Data> = { [F in keyof Data]: Data[F] extends unknown[] ? F : never }[keyof Data];

type DataOf<O> =
  SchemaOf<O, "answer"> extends { readonly data: infer S extends z.ZodType }
    ? Streamable<z.output<S>>
    : Response;

/** A request that has passed the gate, its query and body checked against the contract. */
export interface Input<O extends Operation = Operation> {
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: Request;
  /** The client's address. */
  readonly client: string;
  /** undefined where anyone may call. */
  readonly caller: Caller | undefined;
  /** Sends a cookie along with the answer. */
  readonly setCookie: (cookie: string) => void;
}

export type Handler<Id extends OperationId> = (
  input: Input<Operations[Id]>,
) => Promise<DataOf<Operations[Id]>>;

export type Handlers<Ids extends OperationId = OperationId> = {
  readonly [Id in Ids]: Handler<Id>;
};
