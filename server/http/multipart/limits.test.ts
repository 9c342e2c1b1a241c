import { describe, expect, test } from "bun:test";
import { expectFault, inChunks, LIMITS, part, read, TYPE, withHead } from "./form.fixture.ts";
import type { MultipartLimits } from "./limits.ts";
import { readMultipart } from "./read-multipart.ts";

describe("accepts a form at each limit and rejects it beyond the limit", () => {
  const end = "--B--\r\n";
  const head = 'Content-Disposition: form-data; name="a"';
  const headOf = (bytes: number): string => {
    const start = `${head}\r\nX: `;
    return withHead(`${start}${"x".repeat(bytes - start.length)}`);
  };
  const cases: readonly (readonly [keyof MultipartLimits, number, (n: number) => string])[] = [
    ["parts", 3, (n) => part("a", "x").repeat(n) + end],
    ["headers", 5, (n) => withHead(head, ...Array.from({ length: n - 1 }, (_, i) => `X-${i}: y`))],
    ["headerBytes", 300, headOf],
    ["headerBytes", 16_384, headOf],
    ["preambleBytes", 100, (n) => `${"x".repeat(n)}\r\n${part("a", "x")}${end}`],
    ["epilogueBytes", 100, (n) => `${part("a", "x")}${end.trim()}\r\n${"x".repeat(n - 2)}`],
  ];
  test.each(cases)("%s (%d)", async (limit, max, body) => {
    const limits = { [limit]: max };
    for (const cuts of [[], Array.from({ length: 20_000 }, (_, n) => n)]) {
      const chunks = (n: number) => inChunks(Buffer.from(body(n)), cuts);
      expect((await read(chunks(max), { limits })).length).toBeGreaterThan(0);
      const kind = limit.startsWith("header") ? "invalid" : "too_large";
      await expectFault(read(chunks(max + 1), { limits }), kind);
    }
  });

  test("limits the unread bytes of all parts together", async () => {
    const skipBoth = async (each: number): Promise<number> => {
      const body = inChunks(Buffer.from(part("a", "x".repeat(each)).repeat(2) + end), []);
      let count = 0;
      for await (const _ of readMultipart(body, TYPE, { ...LIMITS, unreadBytes: 100 })) count++;
      return count;
    };
    expect(await skipBoth(50)).toBe(2);
    await expectFault(skipBoth(51), "too_large");
  });

  test("rejects endless headers as soon as they exceed the limit", async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("--B\r\n");
      for (; ; sent += 1000) yield Buffer.alloc(1000, "x");
    }
    await expectFault(read(endless()), "invalid");
    expect(sent).toBeLessThan(LIMITS.headerBytes + 2000);
  });
});
