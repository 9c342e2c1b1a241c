/*
 * Schemas of the OpenAPI document that occur more than once, such as a field of several bodies, as named ones.
 */

import type { JsonSchema } from "./json-schema.ts";

type Schemas = Readonly<Record<string, JsonSchema>>;

interface SharedSchemas<Part> {
  readonly parts: Part;
  readonly schemas: Schemas;
}

/**
 * Names the schemas that repeat in `parts`, wherever a property is called `schema`, and in the schemas that have
 * a name already. Returns copies with references.
 */
export function shareSchemas<Part>(parts: Part, named: Schemas): SharedSchemas<Part> {
  const counts = new Map<string, number>();
  const count = (schema: JsonSchema): void => {
    const text = JSON.stringify(schema);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (counts.get(text) === 1) eachInner(schema, count);
  };
  mapSchemas(parts, "", (schema) => {
    count(schema);
    return schema;
  });
  for (const schema of Object.values(named)) eachInner(schema, count);

  const schemas: Record<string, JsonSchema> = { ...named };
  const names = new Map<string, string>();
  const share = (schema: JsonSchema, wanted: string, owner = ""): JsonSchema => {
    const text = JSON.stringify(schema);
    const uses = counts.get(text) ?? 0;
    if (!isWorthNaming(text.length, uses)) return mapInner(schema, share, wanted);
    let name = names.get(text);
    if (name === undefined) {
      name = freeName([wanted, `${owner}-${wanted}`], schemas);
      names.set(text, name);
      schemas[name] = {};
      schemas[name] = mapInner(schema, share, wanted);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  for (const [name, schema] of Object.entries(named)) schemas[name] = mapInner(schema, share, name);
  return { parts: mapSchemas(parts, "", share), schemas };
}

/** The length of a reference, about, and of the name of a component. */
const REFERENCE = 50;
const NAME = 20;

const isWorthNaming = (length: number, uses: number): boolean =>
  uses > 1 && length * uses > REFERENCE * uses + length + NAME;

/** The first name that is free, in capitals like the names of other schemas; otherwise the last with a number. */
function freeName(wanted: readonly string[], taken: Schemas): string {
  const names = wanted.map((each) =>
    each.replace(/(?:^|\W)(\w)/g, (_, first: string) => first.toUpperCase()),
  );
  const free = names.find((name) => !(name in taken));
  if (free !== undefined) return free;
  const last = names.at(-1) ?? "";
  for (let number = 2; ; number += 1) {
    if (!(`${last}${number}` in taken)) return `${last}${number}`;
  }
}

type Change = (schema: JsonSchema, name: string, owner?: string) => JsonSchema;

/** Changes what is called `schema` in parts of a document; `name`: what the part is called. */
function mapSchemas<Part>(part: Part, name: string, change: Change): Part;
function mapSchemas(part: unknown, name: string, change: Change): unknown {
  if (Array.isArray(part)) return part.map((item) => mapSchemas(item, name, change));
  if (typeof part !== "object" || part === null) return part;
  const fields = Object.entries(part);
  const own = new Map(fields).get("name") ?? new Map(fields).get("operationId");
  const called = typeof own === "string" ? own : name;
  return Object.fromEntries(
    fields.map(([field, value]) => [
      field,
      field === "schema" ? change(value, called) : mapSchemas(value, called, change),
    ]),
  );
}

/** Changes the schemas directly inside one. */
function mapInner(schema: JsonSchema, change: Change, name = ""): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, value]) => [field, change(value, field, name)]),
          ),
        }),
    ...(items === undefined ? {} : { items: change(items, `${name}Item`) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((each) => change(each, `${name}Choice`)) }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: change(additionalProperties, `${name}Value`) }
      : {}),
  };
}

function eachInner(schema: JsonSchema, visit: (inner: JsonSchema) => void): void {
  mapInner(schema, (inner) => {
    visit(inner);
    return inner;
  });
}
