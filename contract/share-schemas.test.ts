import { expect, test } from "bun:test";
import type { JsonSchema } from "./json-schema.ts";
import { shareSchemas } from "./share-schemas.ts";

const long = (word: string): JsonSchema => ({ type: "string", description: word.repeat(40) });
const short = { type: "string" };

test("what occurs more than once is named after its field, and what it contains too", () => {
  const inner = { type: "object", properties: { note: long("note"), ok: short } };
  const parts = { a: { schema: inner }, b: { schema: { type: "array", items: long("note") } } };
  const shared = shareSchemas(parts, { Given: { type: "object", properties: { inner } } });
  expect(shared.schemas).toEqual({
    Given: { type: "object", properties: { inner: { $ref: "#/components/schemas/Inner" } } },
    Inner: {
      type: "object",
      properties: { note: { $ref: "#/components/schemas/Note" }, ok: short },
    },
    Note: long("note"),
  });
  expect(shared.parts).toMatchObject({
    a: { schema: { $ref: "#/components/schemas/Inner" } },
    b: { schema: { type: "array", items: { $ref: "#/components/schemas/Note" } } },
  });
});

test("the same name of other schemas gets that of the owner, and other fields stay as they are", () => {
  const one = { properties: { id: long("one") } };
  const two = { properties: { id: long("two") } };
  const { schemas } = shareSchemas({}, { One: one, Uno: one, Two: two, Due: two });
  expect(Object.keys(schemas)).toEqual(["One", "Uno", "Two", "Due", "Id", "TwoId"]);
  const parts = { description: "x".repeat(300), schema: short, again: { schema: short } };
  expect(shareSchemas(parts, {})).toEqual({ parts, schemas: {} });
});
