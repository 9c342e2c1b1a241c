import { expect } from "bun:test";
import { z } from "zod";
import type { Answer } from "./answer.ts";

const success = z.strictObject({ data: z.record(z.string(), z.unknown()), error: z.null() });

const failure = z.strictObject({
  data: z.null(),
  error: z.object({ message: z.string().min(1) }),
});

function parsed(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new Error(`Status ${answer.status} with a body that is not JSON: ${answer.text}`);
  }
}

/** A success in the envelope: status 200, exactly `data` and `error`, `data` of this shape. */
export function expectData<Shape extends z.ZodType>(answer: Answer, shape: Shape): z.infer<Shape> {
  if (answer.status !== 200) throw new Error(`Status ${answer.status}: ${answer.text}`);
  expect(answer.header("content-type")).toStartWith("application/json");
  const envelope = success.safeParse(parsed(answer));
  if (!envelope.success) throw new Error(`Not the success envelope: ${answer.text}`);
  const data = shape.safeParse(envelope.data.data);
  if (!data.success) throw new Error(`${z.prettifyError(data.error)}\nin ${answer.text}`);
  return data.data;
}

/** A failure in the envelope, with this status and a message that matches. */
export function expectFault(answer: Answer, status: number, message: RegExp = /./): string {
  expect({ status: answer.status, body: answer.text }).toEqual({ status, body: answer.text });
  expect(answer.header("content-type")).toStartWith("application/json");
  const envelope = failure.safeParse(parsed(answer));
  if (!envelope.success) throw new Error(`Not the failure envelope: ${answer.text}`);
  expect(envelope.data.error.message).toMatch(message);
  return envelope.data.error.message;
}

/** The headers of both read endpoints that must be there whatever the status. */
export function expectSecurityHeaders(answer: Answer): void {
  expect(answer.all("content-security-policy")).toEqual(["sandbox"]);
  expect(answer.all("x-content-type-options")).toEqual(["nosniff"]);
}

/** Polls until `check` answers true; fails after `limit` milliseconds. */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  limit = 20_000,
): Promise<void> {
  const until = performance.now() + limit;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`Not within ${limit} ms: ${what}`);
    await Bun.sleep(40);
  }
}
