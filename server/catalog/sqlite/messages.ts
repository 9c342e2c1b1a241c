import type { Failure } from "../../rules/failure.ts";
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
