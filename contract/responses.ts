import { failureGuards, unsatisfiableHeaders } from "./delivery.ts";
import { EVERYWHERE, type Failure, failuresOf } from "./failures.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Operation } from "./operation.ts";

/** The failures that every operation has, by their names in `components.responses`. */
const SHARED: Readonly<Record<number, string>> = {
  405: "MethodNotAllowed",
  429: "TooManyRequests",
  500: "UnexpectedError",
  503: "Unavailable",
};

/** A reference to a component. */
export const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The schema of a JSON answer around that of its `data` or `error`. */
export function envelope(data: JsonSchema, error: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { data, error },
    required: ["data", "error"],
    additionalProperties: false,
  };
}

/** The envelope of a failure. */
export const failureSchema = envelope(
  { type: "null" },
  {
    type: "object",
    properties: { message: { type: "string", description: "What was wrong, for people." } },
    required: ["message"],
  },
);

/** By their names in `components.headers`. */
export const failureHeaders = {
  "Retry-After": {
    description: "Whole seconds until it is worth trying again.",
    schema: { type: "integer", minimum: 0 },
  },
  Allow: { description: "The methods that the path has.", schema: { type: "string" } },
};

/** What an operation answers when it fails, by status. */
export function failureResponses(operation: Operation): object {
  const isFile = "file" in operation.answer;
  return Object.fromEntries(
    failuresOf(operation).map((failure) => [failure.status, failureResponse(failure, isFile)]),
  );
}

function failureResponse(failure: Failure, isFile: boolean): object {
  const shared = SHARED[failure.status];
  return shared !== undefined && !failure.own && !isFile
    ? refer("responses", shared)
    : failureBody(failure, isFile ? failureGuards : {});
}

function failureBody({ status, when }: { status: number; when: string }, more: object): object {
  const headers = {
    ...more,
    ...(status === 416 ? unsatisfiableHeaders : {}),
    ...(status === 429 || status === 503 ? { "Retry-After": refer("headers", "Retry-After") } : {}),
    ...(status === 405 ? { Allow: refer("headers", "Allow") } : {}),
  };
  return {
    description: when,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: { "application/json": { schema: refer("schemas", "Failure") } },
  };
}

/** The failures of every operation, as `components.responses`. */
export function sharedResponses(): object {
  return Object.fromEntries(
    Object.entries(SHARED).map(([status, name]) => [
      name,
      failureBody({ status: Number(status), when: EVERYWHERE[Number(status)] ?? "" }, {}),
    ]),
  );
}
