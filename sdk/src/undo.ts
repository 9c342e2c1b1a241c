import type { DryRun, Undone } from "../../contract/api.ts";
import type { BaseClient } from "./base-client.ts";
import { momentOf } from "./connection/moment-of.ts";
import type { CallOptions } from "./connection/options.ts";

export type { DryRun, Undone } from "../../contract/api.ts";

export interface UndoOptions extends CallOptions {
  /** The id of an API key or an account. A key also stands for all keys that it has made. */
  readonly by: string;
  /** From this time on, at most as long ago as the trash keeps. */
  readonly since: Date | string;
  /** Default: now. */
  readonly until?: Date | string | undefined;
  /** The key of a folder: only what is in it. Default: everywhere. */
  readonly folder?: string | undefined;
}

/** Undoes what somebody did. Every method throws a `HoldallError` if the request fails. */
export interface Undo {
  /** Reports what `run` would do and leave. Changes nothing. */
  preview(options: UndoOptions): Promise<DryRun>;
  /**
   * Takes back deletions into the trash, replaced content of which versions were kept, moves, new names, visibility
   * and metadata. Overwrites nothing: what others have changed since is in `conflicts`. 410: `since` is too long ago.
   */
  run(options: UndoOptions): Promise<Undone>;
}

export function undoOf(holdall: Pick<BaseClient, "call">): Undo {
  const send = ({ signal, by, since, until, folder }: UndoOptions, dryRun: boolean) =>
    holdall.call("undoChanges", {
      body: {
        by,
        since: momentOf(since),
        ...(until === undefined ? {} : { until: momentOf(until) }),
        ...(folder === undefined ? {} : { folder }),
        dryRun,
      },
      isLong: true,
      signal,
    });
  return {
    async preview(options) {
      const data = await send(options, true);
      if (!isDryRun(data)) throw new Error("The server has made the change.");
      return data.dryRun;
    },
    run: (options) => send(options, false),
  };
}

const isDryRun = (data: object): data is { readonly dryRun: DryRun } => "dryRun" in data;
