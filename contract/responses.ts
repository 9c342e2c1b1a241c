import { COMMON_FAILURES, failuresOf, USUAL_FAILURES } from "./failures.ts";
import { rangeNotSatisfiableHeaders, securityHeaders } from "./file-responses.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Operation } from "./operation.ts";
import { allErrorCodes, errorCodes, generalCode } from "./text/error-codes.ts";

/** A reference to a component. */
export const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The schema of a JSON response from the schemas of its `data` and `error`. */
export function envelope(data: JsonSchema, error: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { data, error },
    required: ["data", "error"],
  };
}

/** The schema of a failure. */
export const failureSchema = envelope(
  { type: "null" },
  {
    type: "object",
    properties: {
      code: {
        enum: allErrorCodes,
        description:
          "For programs. Each status has a general code; `x-error-codes` of an operation has the others.",
      },
      message: { type: "string", description: "For people; may change." },
      details: {
        type: "object",
        description:
          "What a program can use, such as `retryAfter` in seconds, `limit`, `name`, `field` and `known`.",
      },
    },
    required: ["code", "message"],
  },
);

/** Response headers, by their names in `components.headers`. */
export const failureHeaders = {
  "Retry-After": {
    description: "Number of whole seconds after which to try again.",
    schema: { type: "integer", minimum: 0 },
  },
  "X-Request-Id": {
    description: "The id of the request, which the log of the server has too.",
    schema: { type: "string" },
  },
  Allow: { description: "The methods that the path supports.", schema: { type: "string" } },
};

/**
 * The failure responses of an operation, by status: one component for each status, with the operation's own
 * description.
 */
export function failureResponses(operation: Operation): object {
  const prefix = "file" in operation.response ? "File" : "";
  const failures = failuresOf(operation);
  const special = failures.filter(({ status, cause }) => cause !== COMMON_FAILURES[status]);
  // Tools expect every operation to name a fault of the client.
  if (!special.some(({ status }) => status < 500)) {
    special.push(...failures.filter(({ status }) => status === 429));
  }
  const responses = special.map(({ status, cause }) => [
    status,
    {
      ...refer("responses", `${prefix}${nameOf(status)}`),
      ...(cause === generalCause(status) ? {} : { description: cause }),
    },
  ]);
  return { ...Object.fromEntries(responses), default: refer("responses", `${prefix}Failure`) };
}

/** The failures, as `components.responses`. */
export function sharedResponses(operations: readonly Operation[]): object {
  const shared: Record<string, object> = {};
  for (const operation of operations) {
    const isFile = "file" in operation.response;
    for (const { status } of failuresOf(operation)) {
      const name = `${isFile ? "File" : ""}${nameOf(status)}`;
      shared[name] ??= responseOf(generalCause(status), {
        ...(isFile ? securityHeaders : {}),
        ...headersOf(status),
      });
    }
    shared[isFile ? "FileFailure" : "Failure"] ??= responseOf(
      Object.entries(COMMON_FAILURES)
        .map(([status, cause]) => `${status}: ${cause}`)
        .join("\n\n"),
      { ...(isFile ? securityHeaders : {}), ...headersOf(405), ...headersOf(429) },
    );
  }
  return shared;
}

const nameOf = (status: number): string =>
  generalCode(status).replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

const generalCause = (status: number): string =>
  USUAL_FAILURES[status] ?? errorCodes[generalCode(status)].meaning;

const headersOf = (status: number): object => ({
  ...(status === 416 ? rangeNotSatisfiableHeaders : {}),
  ...(status === 429 || status === 503 ? { "Retry-After": refer("headers", "Retry-After") } : {}),
  ...(status === 405 ? { Allow: refer("headers", "Allow") } : {}),
});

function responseOf(description: string, headers: object): object {
  return {
    description,
    headers: { ...headers, "X-Request-Id": refer("headers", "X-Request-Id") },
    content: { "application/json": { schema: refer("schemas", "Failure") } },
  };
}
