import { expect, test } from "bun:test";
import { Fault } from "../../domain/faults/fault.ts";
import { readText } from "./read-text.ts";

const field = (...chunks: Uint8Array[]) => ({
  name: "folder",
  body: (async function* () {
    yield* chunks;
  })(),
});

async function kindOf(text: Promise<string>): Promise<string> {
  const error = await text.catch((reason: unknown) => reason);
  return error instanceof Fault ? error.kind : "no fault";
}

test("decodes text, also if a character is split across chunks", async () => {
  const bytes = Buffer.from("日本語 😀");
  expect(await readText(field(), 0)).toBe("");
  expect(await readText(field(bytes.subarray(0, 1), bytes.subarray(1)), 100)).toBe("日本語 😀");
  expect(await readText(field(Buffer.from("\ufeffa")), 10)).toBe("\ufeffa");
});

test("limits the bytes of all chunks together", async () => {
  const half = Buffer.from("éé");
  expect(await readText(field(half, half), 8)).toBe("éééé");
  expect(await kindOf(readText(field(half, half), 7))).toBe("too_large");
});

test.each([[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80]])(
  "rejects invalid UTF-8: %p",
  async (...bytes) => {
    expect(await kindOf(readText(field(Uint8Array.from(bytes)), 10))).toBe("invalid");
  },
);
