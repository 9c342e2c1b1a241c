import { expect, test } from "bun:test";
import type { z } from "zod";
import type { Api } from "./api.ts";
import { apiText } from "./api-text.ts";
import type { Operations } from "./operations.ts";
import { createTypeWriter } from "./typescript.ts";

test("api.ts is up to date: `npm run generate` writes it", async () => {
  const inTree = await Bun.file(new URL("api.ts", import.meta.url)).text();
  expect(inTree === apiText()).toBe(true);
});

/** The data that an operation returns by its schema. */
type DataOf<Id extends keyof Api> = Operations[Id]["response"] extends {
  readonly data: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** The operations whose generated type does not take what the schema gives. */
type Unlike = {
  [Id in keyof Api]: Api[Id] extends { readonly data: infer Data }
    ? DataOf<Id> extends Data
      ? never
      : Id
    : never;
}[keyof Api];

test("the generated types take what the schemas give", () => {
  // Metadata is any record for the server.
  const unlike: Exclude<Unlike, "fileMetadata">[] = [];
  expect(unlike).toEqual([]);
});

const writer = () =>
  createTypeWriter({
    Size: { type: "object", properties: { bytes: { type: "integer" } }, required: ["bytes"] },
  });

test.each([
  [{ type: ["string", "null"] }, "string | null"],
  [{ enum: ["a", null] }, '"a" | null'],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ anyOf: [{ $ref: "#/components/schemas/Size" }, { type: "null" }] }, "Size | null"],
  [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [{ const: true }, "true"],
  [{}, "unknown"],
])("%j is %s", (schema, type) => {
  expect(writer().typeOf(schema, false)).toBe(type);
});

test("requests take readonly lists; fields are readonly if the schema says so", () => {
  const list = { type: "array", items: { type: "string" } };
  const schema = {
    type: "object",
    properties: {
      ids: list,
      named: { type: "object", typeName: "Named", properties: { ids: list } },
      fixed: { type: "object", typeName: "Fixed", readonlyFields: true, properties: { ids: list } },
    },
  };
  const types = writer();
  expect(types.typeOf(schema, true)).toContain("  ids?: readonly string[] | undefined;");
  expect(types.declarations()).toContain("export interface Named {\n  ids?: string[] | undefined;");
  expect(types.declarations()).toContain("interface Fixed {\n  readonly ids?: string[]");
});

test("two schemas cannot have one name", () => {
  const types = writer();
  types.typeOf({ typeName: "Twice", type: "string" }, false);
  expect(() => types.typeOf({ typeName: "Twice", type: "number" }, false)).toThrow("Twice");
});

test("a description cannot end its comment", () => {
  const schema = { type: "object", properties: { a: { description: "x */ y", type: "string" } } };
  expect(writer().typeOf(schema, false)).not.toContain("x */");
});
