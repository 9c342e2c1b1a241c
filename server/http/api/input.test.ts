import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import type { Operation } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import { Fault, type FaultKind } from "../../domain/faults/fault.ts";
import {
  type InputRules,
  MAX_ANONYMOUS_JSON_BYTES,
  MAX_JSON_BYTES,
  readForm,
  readJson,
  readQuery,
  rejectBody,
} from "./input.ts";

const all: readonly Operation[] = Object.values(operations);

const requestWith = (body: BodyInit | null, headers: Record<string, string> = {}): Request =>
  new Request("http://localhost/api", { method: "POST", body, headers });

const json = (value: unknown): Request => requestWith(JSON.stringify(value));

const schema = z.object({
  id: z.string({ error: "must be text" }),
  ids: z.array(z.string({ error: "must be text" }), { error: "must be a list" }).optional(),
});

async function faultOf(work: () => unknown): Promise<Fault> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("No fault was thrown.");
}

async function expectFault(work: () => unknown, kind: FaultKind, says: string): Promise<void> {
  expect(await faultOf(work)).toMatchObject({ kind, message: expect.stringContaining(says) });
}

describe("a JSON body", () => {
  test("contains only the fields of the schema", async () => {
    const body = '{"id":"é😀\\u0000","more":1,"ids":["a"],"__proto__":{"id":"x"},"constructor":2}';
    const value = await readJson(requestWith(body), schema, { ignoresUnknown: true });
    expect(value).toEqual({ id: "é😀\0", ids: ["a"] });
    expect(Object.keys(value)).toEqual(["id", "ids"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect("more" in {}).toBe(false);
  });

  test("takes no field from __proto__", async () => {
    const body = '{"__proto__":{"id":"x"}}';
    const read = () => readJson(requestWith(body), schema, { ignoresUnknown: true });
    await expectFault(read, "invalid", "`id` must be text.");
  });

  test.each([
    '{"id":"a","more":1}',
    '{"id":"a","__proto__":{}}',
    '{"constructor":1}',
    '{"ID":"a"}',
  ])("is rejected with the names of the known fields if it has another one: %s", async (body) => {
    const says = "is not a field of this request, which has `id`, `ids`.";
    await expectFault(() => readJson(requestWith(body), schema), "invalid", says);
  });

  test("is rejected without showing a long unknown name in full", async () => {
    const { message } = await faultOf(() => readJson(json({ ["x".repeat(5000)]: 1 }), schema));
    expect(message.length).toBeLessThan(200);
  });

  test("is rejected with a field where an operation takes none", async () => {
    const reject = (body: BodyInit | null, headers = {}) =>
      rejectBody(requestWith(body, headers), MAX_JSON_BYTES);
    await reject(null);
    await reject("");
    await reject("{}", { "content-length": "2" });
    const more = () => reject('{"more":1}', { "content-length": "10" });
    await expectFault(more, "invalid", "`more` is not a field of this request, which has none.");
  });

  test("takes the last of two equal fields, like JSON.parse", async () => {
    const value = await readJson(requestWith('{"id":"a","id":"b"}'), schema);
    expect(value).toEqual({ id: "b" });
  });

  test("is read regardless of Content-Type", async () => {
    const headers = { "content-type": "text/plain" };
    expect(await readJson(requestWith('{"id":"a"}', headers), schema)).toEqual({ id: "a" });
  });

  test.each(["", " ", "{", '{"id":"a"}x', "{'id':'a'}", '{"id":"a",}', "undefined", "NaN"])(
    "is rejected if it is not JSON: %j",
    async (text) => {
      await expectFault(() => readJson(requestWith(text), schema), "invalid", "not valid JSON");
    },
  );

  test("is not parsed if it has far more values than the operation takes", async () => {
    const many = (count: number) => `{"ids":[${Array(count).fill("{}").join(",")}]}`;
    const parses = spyOn(JSON, "parse");
    try {
      for (const [body, of] of [
        [many(300_000), schema],
        [`{"ids":${"[".repeat(900_000)}`, schema],
        [`{"id":"a","more":[${Array(2000).fill("1").join(",")}]}`, z.object({ id: z.string() })],
      ] as const) {
        const read = () => readJson(requestWith(body), of);
        await expectFault(read, "invalid", "values: send only the fields of the request");
      }
      expect(parses).not.toHaveBeenCalled();
    } finally {
      parses.mockRestore();
    }
  });

  test("is rejected with very many values as a form, too", async () => {
    const lists = z.object({ ids: z.array(z.string()) });
    const form = (count: number) => requestWith(Array(count).fill("ids=").join("&"));
    expect((await readForm(form(30_000), lists)).ids).toHaveLength(30_000);
    await expectFault(() => readForm(form(30_001), lists), "invalid", "more than 30000 values");
  });

  test("may have as many ids as fit into it", async () => {
    const ids = Array.from({ length: 26_000 }, () => crypto.randomUUID());
    expect(await readJson(json({ id: "a", ids }), schema)).toEqual({ id: "a", ids });
  });

  test("is checked up to the first invalid element of each list", async () => {
    let checks = 0;
    const counted = z.object({
      first: z.array(z.string({ error: () => `must be text ${++checks}` })),
      second: z.array(z.number()).optional(),
    });
    const first = ["a", ...Array(5000).fill({})];
    const read = () => readJson(json({ first, second: ["b"] }), counted);
    await expectFault(read, "invalid", "`first.1` must be text");
    expect(checks).toBeLessThanOrEqual(2);
  });

  test("is rejected if it is missing", async () => {
    await expectFault(() => readJson(requestWith(null), schema), "invalid", "not valid JSON");
  });

  test.each(["null", "[]", '[{"id":"a"}]', '"id"', "5", "true"])(
    "is rejected if it is %s",
    async (text) => {
      await expectFault(
        () => readJson(requestWith(text), schema),
        "invalid",
        "must be a JSON object",
      );
    },
  );

  test.each([
    [{ id: 5 }, "`id` must be text."],
    [{}, "`id` must be text."],
    [{ id: null }, "`id` must be text."],
    [{ id: ["a"] }, "`id` must be text."],
    [{ id: "a", ids: "b" }, "`ids` must be a list."],
    [{ id: "a", ids: ["b", 5] }, "`ids.1` must be text."],
    [{ id: "a", ids: { 0: "b" } }, "`ids` must be a list."],
  ])("is rejected with the name of the wrong field in %j", async (value, message) => {
    await expectFault(() => readJson(json(value), schema), "invalid", message);
  });

  test("is rejected if it is not UTF-8", async () => {
    const start = '{"id":"';
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      const body = new Uint8Array([...Buffer.from(start), ...bytes, ...Buffer.from('"}')]);
      await expectFault(() => readJson(requestWith(body), schema), "invalid", "valid UTF-8");
    }
  });

  test("is read correctly if chunks split a character", async () => {
    const bytes = Buffer.from('{"id":"日本"}');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await readJson(requestWith(body), schema)).toEqual({ id: "日本" });
  });

  test("is rejected without a stack overflow if it is nested deeply", async () => {
    for (const deep of [
      "[".repeat(500_000),
      `{"id":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    ]) {
      expect(await faultOf(() => readJson(requestWith(deep), schema))).toMatchObject({
        kind: "invalid",
      });
    }
  });

  test("is rejected if the client disconnects midway", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from('{"id":'));
        controller.error(new Error("gone"));
      },
    });
    await expectFault(() => readJson(requestWith(body), schema), "invalid", "connection closed");
  });
});

describe("a JSON body's size", () => {
  const bodyOf = (length: number): string => `{"id":"${"x".repeat(length - 9)}"}`;
  const streamed = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();

  test.each([
    ["with its length", (text: string) => text],
    ["of unknown length", streamed],
  ])("is limited to 1 MiB, %s", async (_, wrap) => {
    const exact = bodyOf(MAX_JSON_BYTES);
    expect(Buffer.byteLength(exact)).toBe(MAX_JSON_BYTES);
    const { id } = await readJson(requestWith(wrap(exact)), schema);
    expect(id).toHaveLength(MAX_JSON_BYTES - 9);
    const over = requestWith(wrap(bodyOf(MAX_JSON_BYTES + 1)));
    await expectFault(() => readJson(over, schema), "too_large", "larger than 1 MiB");
  });

  test("is counted in bytes, not characters", async () => {
    const body = `{"id":"${"é".repeat(MAX_JSON_BYTES / 2)}"}`;
    await expectFault(() => readJson(requestWith(streamed(body)), schema), "too_large", "1 MiB");
  });

  test("is checked by Content-Length before the body is read", async () => {
    let read = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read += 1;
          controller.enqueue(new Uint8Array(1024));
        },
      },
      { highWaterMark: 0 },
    );
    const request = requestWith(body, { "content-length": String(MAX_JSON_BYTES + 1) });
    await expectFault(() => readJson(request, schema), "too_large", "1 MiB");
    expect(read).toBe(0);
  });

  test("is limited to 16 KiB for anonymous requests", async () => {
    const read = (length: number) =>
      readJson(requestWith(streamed(bodyOf(length))), schema, {
        maxBytes: MAX_ANONYMOUS_JSON_BYTES,
      });
    expect((await read(MAX_ANONYMOUS_JSON_BYTES)).id).toHaveLength(MAX_ANONYMOUS_JSON_BYTES - 9);
    await expectFault(() => read(MAX_ANONYMOUS_JSON_BYTES + 1), "too_large", "larger than 16 KiB");
  });

  test("bounds the memory even if the body arrives in single bytes", async () => {
    const bytes = Buffer.from(bodyOf(5_000));
    const piece = new Uint8Array(1);
    let at = 0;
    // Code that keeps the chunks instead of copying them would read the last one many times.
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (at === bytes.length) return controller.close();
          piece[0] = bytes[at] ?? 0;
          at += 1;
          controller.enqueue(piece);
        },
      },
      { highWaterMark: 0 },
    );
    expect((await readJson(requestWith(body), schema)).id).toBe("x".repeat(4_991));
  });

  test("stops reading an endless body", async () => {
    let cancelled = false;
    let read = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
      cancel() {
        cancelled = true;
      },
    });
    await expectFault(() => readJson(requestWith(body), schema), "too_large", "1 MiB");
    expect(cancelled).toBe(true);
    expect(read).toBeLessThan(25);
  });
});

describe("a query", () => {
  const query = z.object({
    id: z.string().optional(),
    limit: z
      .string()
      .regex(/^\d+$/, { error: "must be a whole number" })
      .transform(Number)
      .optional(),
  });
  const read = (text: string, rules?: InputRules) =>
    readQuery(new URLSearchParams(text), query, rules);

  test("a parameter that is a list may be repeated", () => {
    const lists = z.object({ ids: z.array(z.string()).optional() });
    const readLists = (text: string) => readQuery(new URLSearchParams(text), lists);
    expect(readLists("ids=a&ids=b")).toEqual({ ids: ["a", "b"] });
    expect(readLists("ids=a")).toEqual({ ids: ["a"] });
    expect(readLists("")).toEqual({});
  });

  test.each([
    ["", {}],
    ["id=a%20b+c", { id: "a b c" }],
    ["id=", { id: "" }],
    ["id", { id: "" }],
    ["limit=007&more=x&more=y", { limit: 7 }],
    ["__proto__=x&constructor=y&ID=z", {}],
  ])("%j is read as %j", (text, expected) => {
    expect(read(text, { ignoresUnknown: true })).toEqual(expected);
  });

  test.each([
    ["limit=x", "`limit` must be a whole number."],
    ["limit=", "`limit` must be a whole number."],
    ["limit=%D9%A3", "`limit` must be a whole number."],
    ["limit=1&limit=1", "`limit` is given more than once."],
    ["limt=1", "`limt` is not a parameter of this request, which has `id`, `limit`."],
    ["__proto__=1", "`__proto__` is not a parameter of this request, which has `id`, `limit`."],
    ["id=a&limit=1&%69d=b", "`id` is given more than once."],
  ])("%j is rejected: %s", async (text, message) => {
    await expectFault(() => read(text), "invalid", message);
  });
});

/* The contract's error for each field completes a sentence that begins with the field's name. */

const bodies = all.flatMap(({ id, body }) =>
  body && "json" in body ? [[id, body.json] as const] : [],
);
const queries = all.flatMap(({ id, query }) => (query ? [[id, query] as const] : []));

/** Expects a sentence about one field, without the validator's jargon. */
function expectSentence({ kind, message }: Fault, fields: readonly string[]): void {
  expect(kind).toBe("invalid");
  const field = /^`(\w+)(?:\.\w+)*` (must be|is missing: it must be) .*\w.*\.$/.exec(message)?.[1];
  expect(fields).toContain(field ?? message);
  expect(message).not.toMatch(/invalid input|expected|received|undefined|NaN/i);
}

test.each(bodies)(
  "%s: an invalid body is rejected with the name of the wrong field",
  async (_, body) => {
    const fields = Object.keys(body.shape);
    const anyBody = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue(), { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(anyBody, async (value) => {
        if (body.safeParse(JSON.parse(JSON.stringify(value))).success) return;
        expectSentence(await faultOf(() => readJson(json(value), body)), fields);
      }),
      { numRuns: 100 },
    );
    for (const field of fields) {
      for (const wrong of [{}, [], [5], 5, -1, 1e300, "", "x".repeat(300), true, false, null]) {
        const given = { [field]: wrong };
        if (body.safeParse(JSON.parse(JSON.stringify(given))).success) continue;
        expectSentence(await faultOf(() => readJson(json(given), body)), fields);
      }
    }
  },
);

test.each(queries)(
  "%s: an invalid query is rejected with the name of the wrong parameter",
  async (_, query) => {
    const fields = Object.keys(query.shape);
    const anyValue = fc.oneof(
      fc.string(),
      fc.constantFrom("-1", "1.5", "1e3", "asc", "Name", "0x1"),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...fields), anyValue), async (value) => {
        const search = new URLSearchParams(value);
        const given = [...search].map(([name, text]) => {
          const isList = query.shape[name]?.safeParse(["x"]).success === true;
          return [name, isList ? [text] : text];
        });
        if (query.safeParse(Object.fromEntries(given)).success) return;
        expectSentence(await faultOf(() => readQuery(search, query)), fields);
      }),
      { numRuns: 200 },
    );
  },
);
