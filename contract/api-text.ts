import { type JsonSchema, toJsonSchema } from "./json-schema.ts";
import { dryRunReport, takesDryRun } from "./objects/dry-run.ts";
import type { Method, Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { commentOf, createTypeWriter } from "./typescript.ts";

const HEADER = `/* Written by \`npm run generate\` from the schemas of the operations. Without Zod, for clients. */
`;

/** The frequent ones first, so that the lines of most paths are short. */
const pathMethods: readonly Method[] = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"];

/** The text of `api.ts`: the types of all operations, and their methods and paths. */
export function apiText(): string {
  const all = Object.values<Operation>(operations);
  const schemas = new Map(all.map((operation) => [operation, schemasOf(operation)]));
  const components = Object.assign({}, ...[...schemas.values()].map(({ named }) => named));
  const writer = createTypeWriter(components);
  const entries = all.map((operation) => {
    const { query, body, data, dryRun } = schemas.get(operation) ?? {};
    const parts = [
      ...(operation.parameters === undefined ? [] : [parametersOf(operation.parameters)]),
      ...(query === undefined
        ? []
        : [`query${isOptional(query) ? "?" : ""}: ${writer.typeOf(query, true)}`]),
      ...(body === undefined ? [] : [`body: ${writer.typeOf(body, true)}`]),
      ...(data === undefined ? [] : [`data: ${writer.typeOf(data, false)}`]),
      ...(dryRun === undefined ? [] : [`dryRun: ${writer.typeOf(dryRun, false)}`]),
    ];
    const fields = parts.map((part) => `    readonly ${part};\n`).join("");
    const comment = commentOf({ description: `${operation.summary}.` }, "  ");
    return `${comment}  readonly ${operation.id}: ${fields === "" ? "Record<never, never>" : `{\n${fields}  }`};\n`;
  });
  const rows = Map.groupBy(all, ({ path }) => path)
    .entries()
    .map(([path, group]) => {
      const ids = pathMethods.map((each) => group.find(({ method }) => method === each)?.id ?? "");
      return [path, ...ids].join(",").replace(/,+$/, "");
    });
  return `${HEADER}
${writer.declarations()}
/** The input and the result of each operation. A dry run returns \`dryRun\` instead of \`data\`. */
export interface Api {
${entries.join("")}}

/**
 * A table: paths of operations, and their ids in the columns of their methods. A path without a slash at its
 * start continues the last one that has one. Short, as browsers load it.
 */
export const operationPaths =
  ${withRelativePaths([`path,${pathMethods}`, ...[...rows].toSorted()])
    .join(" \n")
    .replace(/.+/g, '"$&"')
    .replaceAll("\n", " +\n  ")};
`;
}

/** Leaves out the start of a path that is a path above. */
function withRelativePaths(rows: readonly string[]): string[] {
  let base = "";
  return rows.map((row) => {
    if (row.startsWith(`${base}/`)) return row.slice(base.length + 1);
    [base = ""] = row.split(",");
    return row;
  });
}

interface OperationSchemas {
  readonly query?: JsonSchema | undefined;
  readonly body?: JsonSchema | undefined;
  readonly data?: JsonSchema | undefined;
  readonly dryRun?: JsonSchema | undefined;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

function schemasOf(operation: Operation): OperationSchemas {
  const { query, body, response } = operation;
  const named: Record<string, JsonSchema> = {};
  const add = (...args: Parameters<typeof toJsonSchema>): JsonSchema => {
    const { schema, named: more } = toJsonSchema(args[0], args[1], { forTypes: true });
    Object.assign(named, more);
    return schema;
  };
  return {
    query: query && add(query, "input"),
    body: body !== undefined && "json" in body ? add(body.json, "input") : undefined,
    data: "data" in response ? add(response.data, "output") : undefined,
    dryRun: takesDryRun(operation) ? add(dryRunReport, "output") : undefined,
    named,
  };
}

const isOptional = ({ required = [] }: JsonSchema): boolean => required.length === 0;

const parametersOf = (parameters: Readonly<Record<string, string>>): string => {
  const fields = Object.entries(parameters).map(
    ([name, description]) =>
      `${commentOf({ description }, "      ")}      readonly ${name}: string;\n`,
  );
  return `parameters: {\n${fields.join("")}    }`;
};
