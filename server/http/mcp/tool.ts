import type { z } from "zod";
import { type Operations, operations } from "../../../contract/operations.ts";
import { authorize } from "../../domain/callers/authorize.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { ignoreMissing } from "../../domain/faults/fault.ts";
import type { FileRecord, KeyAction } from "../../domain/records.ts";
import type { Files } from "../../files/files.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { ActionsOf, Authorize, HandledOperation } from "../api/handlers/handler.ts";
import { check, rejectUnknown } from "../api/input.ts";
import type { CallOperation } from "./call-operation.ts";

/** Gives a tool the services of the API, on behalf of the caller of the request. */
export interface ToolContext {
  readonly caller: Caller;
  /** Runs an operation of the API, with its checks and its entry in the audit log. */
  readonly call: CallOperation;
  readonly files: Files;
  /** The absolute URL of one that is relative to the base URL of the site. */
  readonly absolute: (url: string) => string;
  /** Counts bytes of a file that the response contains. */
  readonly countBytes: (bytes: number, file: FileRecord) => void;
}

/** The result of a tool, as JSON. */
export type ToolData = Readonly<Record<string, unknown>>;

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool, without the type of its arguments. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Never contains names or contents of files: models follow what descriptions say. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** The caller needs all of them; otherwise the tool is not listed. */
  readonly actions: readonly KeyAction[];
  readonly annotations: Annotations;
  /** It is listed only if this setting is on. */
  readonly setting: "fetchByKeys" | undefined;
  /** Waits for the client's turn, as the API's lists do, and for no store and no body. */
  readonly takesTurn: boolean;
  /** Faults: "invalid" names the argument; those of the operations. */
  run(given: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolData>;
}

interface ToolDefinition<S extends z.ZodObject, Needed extends HandledOperation>
  extends Omit<Tool, "input" | "actions" | "annotations" | "setting" | "takesTurn" | "run"> {
  readonly input: S;
  /** The operations that it calls for every input. */
  readonly needs: readonly [Needed, ...Needed[]];
  readonly annotations?: Partial<Annotations>;
  readonly setting?: Tool["setting"];
  readonly takesTurn?: true;
  readonly run: (
    args: z.output<S>,
    context: ToolContext & { readonly authorize: Authorize<ActionsOf<Operations[Needed]>> },
  ) => Promise<ToolData>;
}

/** Default of the annotations: it changes something, destroys nothing, and reaches only this server. */
export function defineTool<S extends z.ZodObject, const Needed extends HandledOperation>(
  definition: ToolDefinition<S, Needed>,
): Tool {
  const { input, needs, annotations, setting, takesTurn, run, ...texts } = definition;
  const actions = [...new Set(needs.flatMap(actionsOf))];
  return {
    ...texts,
    input,
    actions,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
      ...annotations,
    },
    setting,
    takesTurn: takesTurn ?? false,
    async run(given, context) {
      rejectUnknown("argument", Object.keys(given), input);
      const authorizing = {
        ...context,
        authorize: (find?: () => MaybePromise<unknown>) => authorize(context.caller, actions, find),
      };
      return run(check(input, given), authorizing);
    },
  };
}

function actionsOf(id: HandledOperation): readonly KeyAction[] {
  const { permission } = operations[id];
  if (typeof permission === "string") throw new Error(`${id} needs no action of a key.`);
  return permission.actions;
}

/** undefined: no file has this path, or the caller does not see it. The operation that follows checks the actions. */
export const findFileAt = (
  { files, caller }: Pick<ToolContext, "files" | "caller">,
  path: string,
): Promise<FileRecord | undefined> => files.look.file(caller, { key: path }).catch(ignoreMissing);
