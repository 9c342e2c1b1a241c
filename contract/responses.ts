import { COMMON_FAILURES, type Failure, failuresOf, NO_SPACE, USUAL_FAILURES } from "./failures.ts";
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
 * description. `default` has the failures of many operations.
 */
export function failureResponses(operation: Operation): object {
  const prefix = filePrefix(operation);
  const failures = failuresOf(operation);
  const special = failures.filter((failure) => !isInDefault(failure));
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
  return {
    ...Object.fromEntries(responses),
    default: refer("responses", defaultName(operation, failures)),
  };
}

/** Meanings of the statuses that `default` stands for: failures that follow from the kind of operation. */
const DEFAULT_CAUSES: Readonly<Record<number, string | undefined>> = {
  ...COMMON_FAILURES,
  413: USUAL_FAILURES[413],
  415: USUAL_FAILURES[415],
  507: NO_SPACE,
};

const isInDefault = ({ status, cause, isSpecific }: Failure): boolean =>
  !isSpecific && cause === DEFAULT_CAUSES[status];

const filePrefix = ({ response }: Operation): string => ("file" in response ? "File" : "");

/** The statuses that `default` of an operation describes: those of every operation, and more. */
const defaultStatuses = (failures: readonly Failure[]): number[] =>
  Object.keys(DEFAULT_CAUSES)
    .map(Number)
    .filter(
      (status) =>
        status in COMMON_FAILURES ||
        failures.some((failure) => failure.status === status && isInDefault(failure)),
    );

/** The component of an operation's `default`: `D`, and the statuses that not every operation has. */
function defaultName(operation: Operation, failures: readonly Failure[]): string {
  const more = defaultStatuses(failures).filter((status) => !(status in COMMON_FAILURES));
  return [`${filePrefix(operation)}D`, ...more].join("-");
}

/** The failures, as `components.responses`. */
export function sharedResponses(operations: readonly Operation[]): object {
  const shared: Record<string, object> = {};
  for (const operation of operations) {
    const headers = "file" in operation.response ? securityHeaders : {};
    const failures = failuresOf(operation);
    for (const { status } of failures) {
      shared[`${filePrefix(operation)}${nameOf(status)}`] ??= responseOf(generalCause(status), {
        ...headers,
        ...headersOf(status),
      });
    }
    shared[defaultName(operation, failures)] ??= responseOf(
      defaultStatuses(failures)
        .map((status) => `${status}: ${DEFAULT_CAUSES[status]}`)
        .join("\n\n"),
      { ...headers, ...headersOf(405), ...headersOf(429) },
    );
  }
  return shared;
}

/** Short, because each operation refers to most of them. */
const nameOf = (status: number): string => `E${status}`;

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
