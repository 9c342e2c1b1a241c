import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { envelopeText, isListed, mapBatches, streamEnvelope } from "./json-stream.ts";

async function* batchesOf<T>(batches: readonly T[][]): AsyncGenerator<T[]> {
  for (const batch of batches) yield batch;
}

/** An element that takes `length` characters and two quotes. */
const long = (length: number): string => "x".repeat(length);
const MORE_THAN_BUFFERED = 600 * 1024;

async function textOf(data: Readonly<Record<string, unknown>>): Promise<string> {
  return new Response(await streamEnvelope(data)).text();
}

const anyBatches = fc.array(fc.array(fc.jsonValue(), { maxLength: 4 }), { maxLength: 4 });
const anyFields = fc.array(
  fc.tuple(
    fc.string({ unit: "binary" }),
    fc.oneof(
      fc.jsonValue().map((value) => ({ plain: value })),
      anyBatches.map((batches) => ({ batches })),
    ),
  ),
  { minLength: 1, maxLength: 4 },
);

describe("the envelope of lists in batches", () => {
  test("equals the envelope of complete lists, short or long", async () => {
    await fc.assert(
      fc.asyncProperty(anyFields, fc.boolean(), async (fields, isLong) => {
        const longField = { batches: [[], [long(MORE_THAN_BUFFERED)], ["end"]] };
        const all = isLong ? fields.toSpliced(1, 0, ["long", longField] as const) : fields;
        const given: [string, unknown][] = [];
        const whole: [string, unknown][] = [];
        for (const [name, field] of all) {
          const isPlain = "plain" in field;
          given.push([name, isPlain ? field.plain : batchesOf<unknown>(field.batches)]);
          whole.push([name, isPlain ? field.plain : field.batches.flat()]);
        }
        const body = await streamEnvelope(Object.fromEntries(given));
        const hasLong = Object.fromEntries(all).long === longField;
        expect(typeof body === "string").toBe(!hasLong);
        const text = await new Response(body).text();
        expect(text).toBe(JSON.stringify({ data: Object.fromEntries(whole), error: null }));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["no batches", []],
    ["an empty batch", [[]]],
    ["only empty batches", [[], [], []]],
  ])("with %s is an empty list", async (_, batches) => {
    expect(await textOf({ files: batchesOf(batches) })).toBe('{"data":{"files":[]},"error":null}');
  });

  test.each([
    ["first", [[], [1], [2]]],
    ["in between", [[1], [], [], [2]]],
    ["last", [[1, 2], []]],
  ])("ignores an empty batch %s", async (_, batches) => {
    expect(await textOf({ a: batchesOf(batches), b: batchesOf(batches), c: 3 })).toBe(
      '{"data":{"a":[1,2],"b":[1,2],"c":3},"error":null}',
    );
  });

  test("escapes lone surrogates", async () => {
    const text = await textOf({
      files: batchesOf([["\ud800"], [long(MORE_THAN_BUFFERED)], ["\udc00"]]),
    });
    expect(text.isWellFormed()).toBe(true);
    const { data } = JSON.parse(text);
    expect([data.files[0], data.files[2]]).toEqual(["\ud800", "\udc00"]);
  });

  test("is a string up to 512 KiB and a stream above", async () => {
    const frame = '{"data":{"files":["'.length;
    const fits = await streamEnvelope({ files: batchesOf([[long(512 * 1024 - frame - 22)]]) });
    expect(fits).toBeString();
    const over = await streamEnvelope({ files: batchesOf([[long(512 * 1024 - frame + 1)]]) });
    expect(over).toBeInstanceOf(ReadableStream);
    if (over instanceof ReadableStream) await over.cancel();
  });
});

describe("a long envelope", () => {
  /** Batches of 100 KiB, with the number of batches read and whether reading ended. */
  function createSource(count: number, failAt = Number.POSITIVE_INFINITY) {
    const source = { read: 0, ended: false, batches: read() };
    async function* read(): AsyncGenerator<string[]> {
      try {
        for (; source.read < count; source.read += 1) {
          if (source.read === failAt) throw new Error("The catalog is closed.");
          yield [long(100 * 1024)];
        }
      } finally {
        source.ended = true;
      }
    }
    return source;
  }

  async function streamFrom(source: ReturnType<typeof createSource>) {
    const body = await streamEnvelope({ files: source.batches });
    if (typeof body === "string") throw new Error("The envelope is not a stream.");
    return body;
  }

  test("is read at the client's speed", async () => {
    const source = createSource(1000);
    const reader = (await streamFrom(source)).getReader();
    // Long enough to read ahead.
    await Bun.sleep(5);
    expect(source.read).toBeLessThan(10);
    await reader.read();
    await reader.read();
    // Long enough to read ahead.
    await Bun.sleep(5);
    expect(source.read).toBeLessThan(12);
    await reader.cancel();
    expect(source.ended).toBe(true);
    expect(source.read).toBeLessThan(12);
  });

  test("stops reading when it is cancelled during a read", async () => {
    const source = createSource(1000);
    const reader = (await streamFrom(source)).getReader();
    const reads = [reader.read(), reader.read(), reader.read()];
    await reader.cancel();
    await Promise.all(reads);
    expect(source.ended).toBe(true);
  });

  test.each([6, 10, 19])("fails when batch %i of 20 cannot be read", async (failAt) => {
    const body = await streamFrom(createSource(20, failAt));
    const outcome = await new Response(body).text().catch((error: unknown) => error);
    expect(outcome).toEqual(new Error("The catalog is closed."));
  });

  test("closes the connection if reading fails, so the client sees no end", async () => {
    // In a separate process, because the runtime prints the error.
    const script = join(import.meta.dir, "json-stream.fixture.ts");
    const child = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "ignore" });
    try {
      const { value } = await child.stdout.getReader().read();
      const response = await fetch(new TextDecoder().decode(value).trim());
      expect(response.status).toBe(200);
      const outcome = await response.text().then(
        () => "complete",
        () => "broken",
      );
      expect(outcome).toBe("broken");
    } finally {
      child.kill();
      await child.exited;
    }
  });

  test("fails before anything is sent if reading fails early", async () => {
    const { batches } = createSource(20, 2);
    const outcome = await streamEnvelope({ files: batches }).catch((error: unknown) => error);
    expect(outcome).toEqual(new Error("The catalog is closed."));
  });
});

test("isListed is true if a field is a list in batches", () => {
  expect(isListed({ a: 1, b: batchesOf([]) })).toBe(true);
  expect(isListed({ a: [1], b: null, c: "text", d: { e: 1 }, f: undefined })).toBe(false);
  expect(isListed({})).toBe(false);
});

test("envelopeText is the JSON of the envelope", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
      expect(envelopeText(data)).toBe(JSON.stringify({ data, error: null }));
    }),
  );
});

test("mapBatches keeps the batches", async () => {
  const mapped = mapBatches(batchesOf([[1, 2], [], [3]]), (number) => `${number}`);
  expect(await Array.fromAsync(mapped)).toEqual([["1", "2"], [], ["3"]]);
});
