import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../../domain/faults/fault.ts";
import { expectFault, inChunks, type ReadPart, read } from "./form.fixture.ts";

describe("multipart properties", () => {
  const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
  // Pieces that could confuse a search for "\r\n--B".
  const nearBoundary = fc
    .array(
      fc.constantFrom("\r", "\n", "\r\n", "-", "--", "B", "\r\n--", "\r\n--B", "--B--", "x", " "),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(""));
  const content = fc
    .oneof(
      nearBoundary,
      fc.uint8Array({ maxLength: 300 }).map((b) => Buffer.from(b).toString("latin1")),
    )
    .filter((text) => !/(^|\r\n)--B(--)?[ \t]*(?=\r\n|$)/.test(text));
  const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((t) => t.toWellFormed());
  const sent = fc.record({
    name: text,
    filename: fc.option(text, { nil: undefined }),
    type: fc.option(fc.constantFrom("text/plain", "image/png"), { nil: undefined }),
    content,
  });
  const quoted = (value: string): string =>
    value.replace(/["\\]/g, "\\$&").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const encode = (parts: readonly ReadPart[]): Buffer =>
    Buffer.concat([
      ...parts.flatMap((each) => [
        Buffer.from(`--B\r\nContent-Disposition: form-data; name="${quoted(each.name)}"`),
        Buffer.from(each.filename === undefined ? "" : `; filename="${quoted(each.filename)}"`),
        Buffer.from(each.type === undefined ? "" : `\r\nContent-Type: ${each.type}`),
        bytes(`\r\n\r\n${each.content}\r\n`),
      ]),
      bytes("--B--\r\n"),
    ]);
  const parts = fc.array(sent, { maxLength: 6 });
  const cutsOf = (length: number, points: readonly number[]): number[] =>
    points.map((point) => point % (length + 1));

  /** Without control characters, which headers cannot contain, and without the three escape codes. */
  const sendable = (each: ReadPart): boolean =>
    [each.name, each.filename ?? ""].every(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
      (value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|%(22|0D|0A)/.test(value),
    );

  test("parses any form in any chunks exactly", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sent.filter(sendable), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        async (form, points) => {
          const body = encode(form);
          expect(await read(inChunks(body, cutsOf(body.length, points)))).toEqual(form);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("parses any form byte by byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent.filter(sendable), { maxLength: 3 }), async (form) => {
        const body = encode(form);
        const cuts = Array.from(body, (_, n) => n);
        expect(await read(inChunks(body, cuts))).toEqual(form);
      }),
      { numRuns: 150 },
    );
  });

  test("rejects a form that is truncated anywhere", async () => {
    const form = [
      { name: "a", filename: "f", type: "text/plain", content: "\r\n--B-\r\n" },
      { name: "b", filename: undefined, type: undefined, content: "x" },
    ];
    const body = encode(form);
    for (let length = 0; length < body.length - 2; length++) {
      await expectFault(read(body.subarray(0, length)), "invalid");
    }
    await expectFault(read(body.subarray(0, body.length - 1)), "invalid");
    expect(await read(body.subarray(0, body.length - 2))).toEqual(form);
  });

  test("a corrupted form only causes faults, and the same outcome in any chunks", async () => {
    const mutation = fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.nat({ max: 255 }),
      fc.nat({ max: 20 }),
    );
    const corrupt = (
      body: Buffer,
      changes: readonly (readonly [number, number, number, number])[],
    ) =>
      changes.reduce((bytes, [where, how, byte, length]) => {
        const at = where % (bytes.length + 1);
        const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
        if (how === 0) return Buffer.concat([head, Buffer.of(byte), tail]);
        if (how === 1) return Buffer.concat([head, tail.subarray(length)]);
        if (how === 2) return Buffer.concat([head, tail.subarray(0, length), tail]);
        return Buffer.concat([head, Buffer.of(byte), tail.subarray(1)]);
      }, body);
    const outcome = (body: AsyncIterable<Uint8Array>): Promise<unknown> =>
      read(body).catch((error: unknown) => {
        if (error instanceof Fault) return error.message;
        throw error;
      });
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.array(mutation, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        async (form, changes, points) => {
          const body = corrupt(encode(form), changes);
          const whole = await outcome(inChunks(body, []));
          expect(await outcome(inChunks(body, cutsOf(body.length, points)))).toEqual(whole);
        },
      ),
      { numRuns: 20_000, seed: 20_260 },
    );
  });
});
