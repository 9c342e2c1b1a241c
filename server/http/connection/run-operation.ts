import type { Actor, Detail, Subject } from "../../domain/activity.ts";
import { type Authorized, authorize, type Find } from "../../domain/callers/authorize.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import type { KeyAction } from "../../domain/records.ts";
import type { ExplainNoSpace } from "../../files/no-space-hint.ts";
import type { Activity } from "../../insight/activity.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";

/** The entry of a request in the audit log. `undefined`: it has none. */
export interface Audit<T> {
  readonly action: string;
  /** The client's address. */
  readonly address: string;
  /** Looks up what the operation may remove or rename. */
  begin?(): Promise<void>;
  done(result: T): MaybePromise<AuditEntry | undefined>;
  failed(error: unknown): AuditEntry | undefined;
}

export interface AuditEntry {
  /** The HTTP status of the response. */
  readonly status: number;
  /** Default: the caller. */
  readonly actor?: Actor | undefined;
  readonly subject: Subject | null;
  readonly detail: Detail;
  /** Whether the operation has failed although its response is a success. */
  readonly hasFailed?: boolean;
}

/** Who calls an operation, and the actions that the operation's row names. */
export interface Call {
  readonly caller: Caller;
  readonly actions: readonly KeyAction[];
}

/** The caller, with the actions of the operation's row. Faults: see `authorize`. */
export type AuthorizeCall = (subject?: "instance" | Find) => MaybePromise<Authorized<KeyAction>>;

/**
 * Runs the work of an operation, which authorizes the caller once it knows what the request names, and records what
 * it did, or why it failed. A request of the API that the client cancels has no entry. Faults: those of `work`; a
 * fault "no_space" says more.
 */
export type RunOperation = <T>(
  call: Call,
  work: (authorize: AuthorizeCall) => MaybePromise<T>,
  audit?: Audit<T>,
) => Promise<T>;

export interface RunOperationDeps {
  readonly activity: Pick<Activity, "record">;
  readonly explainNoSpace: ExplainNoSpace;
}

export function createRunOperation({ activity, explainNoSpace }: RunOperationDeps): RunOperation {
  function record(
    { actor: caller }: Caller,
    { action, address }: Pick<Audit<never>, "action" | "address">,
    entry: AuditEntry | undefined,
    hasFailed = entry?.hasFailed,
  ): void {
    if (entry === undefined) return;
    const { status, actor = caller, subject } = entry;
    const outcome = hasFailed === true ? "failed" : "done";
    const detail = limitTexts(entry.detail);
    activity.record({ action, address, outcome, status, actor, subject, detail });
  }

  return async ({ caller, actions }, work, audit) => {
    try {
      if (audit?.begin !== undefined) await audit.begin();
      const result = await work((subject) => authorize(caller, actions, subject));
      if (audit !== undefined) record(caller, audit, await audit.done(result));
      return result;
    } catch (error) {
      if (audit !== undefined && !(error instanceof ConnectionClosed)) {
        record(caller, audit, audit.failed(error), true);
      }
      throw await explainNoSpace(caller, error);
    }
  };
}

/** As long as the longest key. */
const MAX_TEXT_LENGTH = 4096;

/** A request's text may be a megabyte long and may contain lone surrogates. */
export const limitText = (text: string, max = MAX_TEXT_LENGTH): string =>
  text.slice(0, max).toWellFormed();

function limitTexts(detail: Detail): Detail {
  const limited: Record<string, Detail[string]> = {};
  for (const [name, value] of Object.entries(detail)) {
    limited[name] = typeof value === "string" ? limitText(value) : value;
  }
  return limited;
}
