import type { z } from "zod";
import type { AuditedOperation } from "./activity.ts";
import type { AuditMapper } from "./audit.ts";
import type { Example } from "./example.ts";
import type { Access, Body, Operation, SuccessResponse } from "./operation.ts";
import type { Permission } from "./permission.ts";

type Query = z.ZodObject | undefined;

type JsonOf<B> = B extends { readonly json: infer Schema extends z.ZodObject } ? Schema : undefined;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type DataOf<R> = R extends { readonly data: infer Schema } ? OutputOf<Schema> : undefined;

/** Every action that `actionTexts` names must be audited, and nothing else can be. */
type AuditOf<Id, B, R> = Id extends AuditedOperation
  ? AuditMapper<OutputOf<JsonOf<B>>, DataOf<R>>
  : null;

type ExampleOf<Q, B> = Omit<Example, "query" | "body"> & {
  readonly query?: Q extends z.ZodObject ? Readonly<Record<string, string>> : undefined;
} & (JsonOf<B> extends infer Schema extends z.ZodObject
    ? { readonly body: z.input<Schema> }
    : { readonly body?: undefined });

type PermissionFor<A extends Access> = A extends "anyone" | "account" | "token"
  ? "none"
  : Permission | "any key";

interface Definition<
  Id extends string,
  A extends Access,
  Q extends Query,
  B extends Body | undefined,
  R extends SuccessResponse,
  P extends PermissionFor<A>,
> extends Operation {
  readonly id: Id;
  readonly access: A;
  readonly permission: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: R;
  readonly audit: AuditOf<Id, B, R>;
  readonly example: ExampleOf<Q, B>;
}

/** Checks an operation against its own schemas, and keeps their types for handlers. */
export function defineOperation<
  const Id extends string,
  const A extends Access,
  const R extends SuccessResponse,
  const P extends PermissionFor<A>,
  const B extends Body | undefined = undefined,
  const Q extends Query = undefined,
>(operation: Definition<Id, A, Q, B, R, P>): Definition<Id, A, Q, B, R, P> {
  return operation;
}

/** Operations about the signed-in person, for which no API key stands. */
export const forSessions = { access: "account", permission: "none", budget: "api" } as const;
