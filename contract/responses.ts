import { COMMON_FAILURES, type Failure, failuresOf } from "./failures.ts";
import { rangeNotSatisfiableHeaders, securityHeaders } from "./file-responses.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Operation } from "./operation.ts";

/** Names in `components.responses` of the failures that every operation has. */
const SHARED: Readonly<Record<number, string>> = {
  405: "MethodNotAllowed",
  429: "TooManyRequests",
  500: "UnexpectedError",
  503: "Unavailable",
};

/** A reference to a component. */
export const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The schema of a JSON response from the schemas of its `data` and `error`. */
export function envelope(data: JsonSchema, error: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { data, error },
    required: ["data", "error"],
    additionalProperties: false,
  };
}

/** The schema of a failure. */
export const failureSchema = envelope(
  { type: "null" },
  {
    type: "object",
    properties: {
      message: { type: "string", description: "Human-readable description of the error." },
    },
    required: ["message"],
  },
);

/** Response headers, by their names in `components.headers`. */
export const failureHeaders = {
  "Retry-After": {
    description: "Number of whole seconds after which to try again.",
    schema: { type: "integer", minimum: 0 },
  },
  Allow: { description: "The methods that the path supports.", schema: { type: "string" } },
};

/** The failure responses of an operation, by status. */
export function failureResponses(operation: Operation): object {
  const isFile = "file" in operation.response;
  return Object.fromEntries(
    failuresOf(operation).map((failure) => [failure.status, failureResponse(failure, isFile)]),
  );
}

function failureResponse(failure: Failure, isFile: boolean): object {
  const shared = SHARED[failure.status];
  return shared !== undefined && !failure.isSpecific && !isFile
    ? refer("responses", shared)
    : responseOf(failure, isFile ? securityHeaders : {});
}

function responseOf({ status, cause }: Pick<Failure, "status" | "cause">, more: object): object {
  const headers = {
    ...more,
    ...(status === 416 ? rangeNotSatisfiableHeaders : {}),
    ...(status === 429 || status === 503 ? { "Retry-After": refer("headers", "Retry-After") } : {}),
    ...(status === 405 ? { Allow: refer("headers", "Allow") } : {}),
  };
  return {
    description: cause,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: { "application/json": { schema: refer("schemas", "Failure") } },
  };
}

/** The failures that every operation has, as `components.responses`. */
export function sharedResponses(): object {
  return Object.fromEntries(
    Object.entries(SHARED).map(([status, name]) => [
      name,
      responseOf({ status: Number(status), cause: COMMON_FAILURES[Number(status)] ?? "" }, {}),
    ]),
  );
}
