import type { FaultKind } from "../../rules/fault.ts";
import { Fault } from "../../rules/fault.ts";
import type { ChangeInputs, ChangeName } from "../changes/changes.ts";

/** What goes to the writer's thread. */
export type ToWriter =
  | { readonly type: "open"; readonly path: string }
  | ({ readonly type: "change"; readonly id: number } & NamedChange)
  | { readonly type: "finish" };

/** A change as data. */
export interface NamedChange<N extends ChangeName = ChangeName> {
  readonly name: N;
  readonly input: ChangeInputs[N];
}

/** What comes back. */
export type FromWriter =
  | { readonly type: "opened" }
  | { readonly type: "refused"; readonly failure: Failure }
  | Answer
  /** Nothing more can be written; what becomes of the changes under way is unknown. */
  | { readonly type: "broken"; readonly reason: string }
  | { readonly type: "finished" };

export type Answer =
  /** The result is of the change's type, which the journey between threads has taken off. */
  | { readonly type: "done"; readonly id: number; readonly result: MessageEvent["data"] }
  | { readonly type: "failed"; readonly id: number; readonly failure: Failure };

/** A fault or an error as data. */
export interface Failure {
  readonly kind: FaultKind | null;
  readonly message: string;
  readonly retryAfter: number | null;
  readonly stack: string;
}

export function toFailure(cause: unknown): Failure {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const fault = error instanceof Fault ? error : undefined;
  return {
    kind: fault?.kind ?? null,
    message: error.message,
    retryAfter: fault?.retryAfter ?? null,
    stack: error.stack ?? "",
  };
}

export function fromFailure({ kind, message, retryAfter, stack }: Failure): Error {
  const error =
    kind === null
      ? new Error(message)
      : new Fault(kind, message, retryAfter === null ? {} : { retryAfter });
  // Where it happened says more than where it was handed on.
  error.stack = stack;
  return error;
}
