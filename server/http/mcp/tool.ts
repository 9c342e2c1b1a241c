import type { z } from "zod";
import { operations } from "../../../contract/operations.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord, KeyAction } from "../../domain/records.ts";
import type { Files } from "../../files/files.ts";
import type { HandledOperation } from "../api/handlers/handler.ts";
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

interface ToolDefinition<S extends z.ZodObject>
  extends Omit<Tool, "input" | "actions" | "annotations" | "setting" | "takesTurn" | "run"> {
  readonly input: S;
  /** The operations that it calls for every input. */
  readonly needs: readonly [HandledOperation, ...HandledOperation[]];
  readonly annotations?: Partial<Annotations>;
  readonly setting?: Tool["setting"];
  readonly takesTurn?: true;
  readonly run: (args: z.output<S>, context: ToolContext) => Promise<ToolData>;
}

/** Default of the annotations: it changes something, destroys nothing, and reaches only this server. */
export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  const { input, needs, annotations, setting, takesTurn, run, ...texts } = definition;
  return {
    ...texts,
    input,
    actions: [...new Set(needs.flatMap(actionsOf))],
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
      return run(check(input, given), context);
    },
  };
}

function actionsOf(id: HandledOperation): readonly KeyAction[] {
  const { permission } = operations[id];
  if (typeof permission === "string") throw new Error(`${id} needs no action of a key.`);
  return permission.actions;
}

/** undefined: what has this path is no file, or is not seen. Fault "forbidden": the caller lacks the action. */
export async function findFileAt(
  { files, caller }: Pick<ToolContext, "files" | "caller">,
  path: string,
  action: KeyAction,
): Promise<FileRecord | undefined> {
  try {
    return await files.find(caller, { key: path }, action);
  } catch (error) {
    if (error instanceof Fault && error.kind === "not_found") return undefined;
    throw error;
  }
}
