import { type JsonSchema, referredName } from "../../../contract/json-schema.ts";

/** A sample value for a schema, from the examples in it. */
export function sampleOf(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): unknown {
  const name = referredName(schema);
  if (name !== undefined) return sampleOf(named[name] ?? {}, named);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {}, named);
  if (schema.type === "array") return [sampleOf(schema.items ?? {}, named)];
  if (schema.type === "object") {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([field, of]) => [field, sampleOf(of, named)]));
  }
  if (schema.type === "integer" || schema.type === "number") return 1;
  if (schema.type === "boolean") return true;
  return schema.type === "null" ? null : "…";
}
