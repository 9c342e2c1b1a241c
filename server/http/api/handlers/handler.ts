import type { z } from "zod";
import type { AuditDetails } from "../../../../contract/audit.ts";
import type { Operation } from "../../../../contract/operation.ts";
import type { OperationId, Operations } from "../../../../contract/operations.ts";
import type { Identity } from "../../../access/authenticate.ts";
import type { Authorized, AuthorizedEverywhere } from "../../../domain/callers/authorize.ts";
import type { Caller } from "../../../domain/callers/caller.ts";
import type { KeyAction } from "../../../domain/records.ts";
import type { MaybePromise } from "../../../lib/maybe-promise.ts";
import type { ResponseData } from "../../connection/json-stream.ts";
import type { StillAuthenticated } from "../../connection/still-authenticated.ts";

type FieldOf<O, Field extends string> = O extends { readonly [F in Field]?: infer V } ? V : never;

type QueryOf<O> =
  FieldOf<O, "query"> extends infer S extends z.ZodObject ? z.output<S> : Record<never, never>;

type BodyOf<O> =
  FieldOf<O, "body"> extends { readonly json: infer S extends z.ZodObject }
    ? z.output<S>
    : undefined;

/** The actions that the row of an operation names. */
export type ActionsOf<O> =
  FieldOf<O, "permission"> extends { readonly actions: readonly (infer A extends KeyAction)[] }
    ? A
    : never;

/** The places that the row of an operation names. */
type PlacesOf<O> =
  FieldOf<O, "permission"> extends { readonly places: readonly (infer P)[] } ? P : never;

/**
 * The caller, with the actions that the row of the operation names; everywhere if the row is about the instance alone.
 * `find` looks up what the request names, which comes first. Faults: "forbidden"; those of `find`.
 */
export type Authorize<A extends KeyAction, Places = never> = (
  find?: () => MaybePromise<unknown>,
) => MaybePromise<IsInstance<Places> extends true ? AuthorizedEverywhere<A> : Authorized<A>>;

type IsInstance<Places> = [Places] extends [never]
  ? false
  : [Places] extends ["instance"]
    ? true
    : false;

/** A list in a response may come in batches, read as they are sent; fields after it as functions. */
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
  FieldOf<O, "response"> extends { readonly data: infer S extends z.ZodType }
    ? Streamable<z.output<S>> | EventsOf<FieldOf<O, "response">>
    : Response;

/** A stream of events or a table may take the place of the data. */
type EventsOf<R> = R extends { readonly events: z.ZodType } | { readonly tables: readonly string[] }
  ? Response
  : never;

interface RequestContext extends StillAuthenticated {
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: Request;
  /** The client's address. */
  readonly client: string;
  /** undefined where anyone may call. */
  readonly identity: Identity | undefined;
  /** On whose behalf the operation runs. */
  readonly caller: Caller;
  /** Gives the audit log what neither the request nor the response says; overrides `before` of its mapper. */
  readonly addAuditDetails: (details: AuditDetails) => void;
  /** Sends a cookie with the response. */
  readonly setCookie: (cookie: string) => void;
  /** Another status than that of the operation, which the contract declares as `alternative`. */
  readonly setStatus: (status: 200) => void;
  /** Adds a header to the response. */
  readonly setHeader: (name: string, value: string) => void;
}

/** An admitted request, its query and body checked against the operation's schemas. */
interface Input<O extends Operation> extends RequestContext {
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  readonly authorize: Authorize<ActionsOf<O>, PlacesOf<O>>;
}

export type Handler<Id extends OperationId> = (
  input: Input<Operations[Id]>,
) => Promise<DataOf<Operations[Id]>>;

export type Handlers<Ids extends OperationId> = {
  readonly [Id in Ids]: Handler<Id>;
};

/** Every operation but `hostFile`, which has routes of its own. */
export type HandledOperation = Exclude<OperationId, "hostFile">;

export interface CheckedInput extends RequestContext {
  readonly query: unknown;
  readonly body: unknown;
}

/** A handler whose operation is known at run time only. */
export type UntypedHandler = (input: CheckedInput) => Promise<ResponseData | Response>;

export type UntypedHandlers = Record<HandledOperation, UntypedHandler>;

/**
 * Forgets the types of inputs, which no cast without `unknown` allows: the caller checks each input
 * against the schemas of the handler's operation instead.
 */
export const untyped = (handlers: Handlers<HandledOperation>): UntypedHandlers =>
  handlers as unknown as UntypedHandlers;
