import { expect } from "bun:test";
import { Fault, type FaultKind } from "../../domain/faults/fault.ts";
import { defaultLimits, type MultipartLimits } from "./limits.ts";
import type { PartHead } from "./part.ts";
import { readMultipart } from "./read-multipart.ts";

/** Enough for what the tests send. */
export const LIMITS = defaultLimits(100);
export const TYPE = "multipart/form-data; boundary=B";

export interface ReadPart extends PartHead {
  readonly content: string;
}

export async function* inChunks(
  bytes: Uint8Array,
  cuts: readonly number[],
): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield Uint8Array.from(bytes.subarray(start, cut));
    start = Math.max(start, cut);
  }
  yield Uint8Array.from(bytes.subarray(start));
}

export async function read(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: { type?: string | null; limits?: Partial<MultipartLimits> } = {},
): Promise<ReadPart[]> {
  const source =
    typeof body === "string" || body instanceof Uint8Array ? inChunks(Buffer.from(body), []) : body;
  const type = options.type === undefined ? TYPE : options.type;
  const parts: ReadPart[] = [];
  for await (const part of readMultipart(source, type, { ...LIMITS, ...options.limits })) {
    const { body: _, ...head } = part;
    const pieces: Uint8Array[] = [];
    for await (const piece of part.body) pieces.push(Uint8Array.from(piece));
    parts.push({ ...head, content: Buffer.concat(pieces).toString("latin1") });
  }
  return parts;
}

export async function expectFault(outcome: Promise<unknown>, kind: FaultKind): Promise<void> {
  const error = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) expect(error.kind).toBe(kind);
  else expect(error).toBeInstanceOf(Fault);
}

/** A form with one part of these header lines. */
export const withHead = (...lines: string[]): string =>
  `--B\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\nx\r\n--B--\r\n`;
export const part = (name: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
