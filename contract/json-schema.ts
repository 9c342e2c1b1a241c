import { z } from "zod";

/** The parts of JSON Schema (2020-12) that our schemas use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  examples?: readonly unknown[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  pattern?: string;
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}

export interface NamedSchemas {
  readonly schema: JsonSchema;
  /** The schemas that it refers to as `#/components/schemas/NAME`: those with an `id` in `meta`. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

const SCHEMAS = "#/components/schemas/";

/** Keywords in `meta` that are about TypeScript. */
const TYPE_KEYWORDS: readonly string[] = ["typeName", "readonlyFields"];

interface JsonSchemaOptions {
  /** Keeps what `meta` says about TypeScript: see `typescript.ts`. */
  readonly forTypes?: boolean;
}

/**
 * The values that a schema accepts ("input") or returns ("output"), as JSON Schema. `meta({ override })`
 * replaces what Zod generates for a field, except its description and example.
 */
export function toJsonSchema(
  schema: z.ZodType,
  io: "input" | "output",
  { forTypes = false }: JsonSchemaOptions = {},
): NamedSchemas {
  const generated = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema, io, forTypes),
  });
  const { $schema: _, $defs = {}, id: name, ...rest } = pointToComponents(generated);
  for (const definition of Object.values($defs)) delete definition.id;
  return name === undefined
    ? { schema: rest, named: $defs }
    : { schema: { $ref: `${SCHEMAS}${name}` }, named: { ...$defs, [name]: rest } };
}

/** The name in a reference to a named schema; undefined: the schema is not a reference. */
export function referredName(schema: JsonSchema): string | undefined {
  return schema.$ref?.startsWith(SCHEMAS) ? schema.$ref.slice(SCHEMAS.length) : undefined;
}

function tidy(schema: Record<string, unknown>, io: "input" | "output", forTypes: boolean): void {
  // Later versions may add fields, which clients must not refuse.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  const { override, example } = schema;
  if (typeof override === "object") {
    for (const keyword of Object.keys(schema))
      if (keyword !== "description" && !TYPE_KEYWORDS.includes(keyword)) delete schema[keyword];
    Object.assign(schema, override);
  }
  if (!forTypes) {
    joinNull(schema);
    for (const keyword of TYPE_KEYWORDS) delete schema[keyword];
  }
  // OpenAPI 3.1 deprecates `example` in favour of JSON Schema's `examples`.
  if (example !== undefined) schema.examples = [example];
  delete schema.example;
  // Zod adds the bounds of a safe integer, which are noise in the reference.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** `anyOf` of one type and null as a list of types, which is shorter and which generators understand better. */
function joinNull(schema: Record<string, unknown>): void {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== "null") return;
  const { type, ...rest } = anyOf[0];
  if (typeof type !== "string") return;
  delete schema.anyOf;
  Object.assign(schema, rest, schema, { type: [type, "null"] });
  if (Array.isArray(schema.enum)) schema.enum = [...schema.enum, null];
}

interface Generated extends JsonSchema {
  id?: string;
  $defs?: Record<string, JsonSchema>;
}

function pointToComponents(schema: object): Generated {
  const text = JSON.stringify(schema, (keyword, value: unknown) =>
    keyword === "$ref" && typeof value === "string"
      ? value.replace(/^#\/\$defs\//, SCHEMAS)
      : value,
  );
  return JSON.parse(text);
}
