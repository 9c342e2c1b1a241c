import type { z } from "zod";
import { toJsonSchema } from "../../../contract/json-schema.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { allowsAll } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { absoluteUrls } from "./absolute-urls.ts";
import { changeTools } from "./change-tools.ts";
import { lookupTools } from "./lookup-tools.ts";
import type { Tool, ToolContext, ToolData } from "./tool.ts";
import { transferTools } from "./transfer-tools.ts";

interface ToolResult {
  [field: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
}

/** The tools of one caller. */
export interface Toolbox {
  /** The tools that the caller may use. */
  list(): ReturnType<typeof listed>[];
  /** undefined: there is no such tool. A failure of the tool is a result. */
  call(name: string, given: Record<string, unknown>): Promise<ToolResult> | undefined;
}

export interface ToolboxDeps {
  readonly context: ToolContext;
  /** The URL of the site, without a trailing slash. */
  readonly base: string;
  readonly isOn: (setting: "fetchByKeys") => boolean;
  readonly inTurn: <T>(work: () => MaybePromise<T>) => Promise<T>;
  /** A failure that is not the client's. */
  readonly onError: (error: unknown) => void;
}

export function createToolbox({ context, base, isOn, inTurn, onError }: ToolboxDeps): Toolbox {
  return {
    list: () =>
      tools
        .filter((tool) => mayUse(context.caller, tool))
        .filter(({ setting }) => setting === undefined || isOn(setting))
        .map(listed),
    call(name, given) {
      // The operations check the rights, and record a refusal: a tool that is not listed may be called.
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) return undefined;
      const run = () => tool.run(given, context);
      return (tool.takesTurn ? inTurn(run) : run()).then(
        (data) => resultOf(absoluteUrls(data, base) as ToolData),
        (error: unknown) => {
          if (error instanceof Fault) return failureOf(error);
          onError(error);
          return failureOf({ code: "unexpected", message: "Unexpected server error" });
        },
      );
    },
  };
}

const mayUse = ({ scope }: Caller, { actions }: Tool): boolean => allowsAll(scope, actions);

/** The schemas, which never change, are made at the first request. */
const schemas = new Map<string, ReturnType<typeof inputSchemaOf>>();

function listed(tool: Tool) {
  const { name, title, description, annotations } = tool;
  const inputSchema = schemas.get(name) ?? inputSchemaOf(tool.input);
  schemas.set(name, inputSchema);
  return { name, title, description, inputSchema, annotations: { ...annotations, title } };
}

const inputSchemaOf = (input: z.ZodObject): { type: "object"; [keyword: string]: unknown } => ({
  ...toJsonSchema(input, "input").schema,
  type: "object",
  additionalProperties: false,
});

/** The text is for clients that do not read `structuredContent`. */
function resultOf(data: ToolData): ToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(data) }],
    structuredContent: { ...data },
  };
}

function failureOf({ code, message, details, retryAfter }: Failure): ToolResult {
  const all = retryAfter === undefined ? details : { ...details, retryAfter };
  return { ...resultOf({ error: { code, message, ...(all && { details: all }) } }), isError: true };
}

type Failure = Pick<Fault, "message"> & { readonly code: string } & Partial<
    Pick<Fault, "details" | "retryAfter">
  >;

/** Every tool, in the order in which clients list them. */
const tools: readonly Tool[] = [...lookupTools, ...transferTools, ...changeTools];
