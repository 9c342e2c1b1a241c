import { expect } from "bun:test";
import { z } from "zod";
import type { HttpResponse } from "./http-response.ts";

const success = z.strictObject({ data: z.record(z.string(), z.unknown()), error: z.null() });

const failure = z.strictObject({
  data: z.null(),
  error: z.object({ message: z.string().min(1) }),
});

function parsed(answer: HttpResponse): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new Error(`Status ${answer.status} with a body that is not JSON: ${answer.text}`);
  }
}

/** Expects status 200 and the envelope with `data` of this shape; returns `data`. */
export function expectData<Shape extends z.ZodType>(
  answer: HttpResponse,
  shape: Shape,
): z.infer<Shape> {
  if (answer.status !== 200) throw new Error(`Status ${answer.status}: ${answer.text}`);
  expect(answer.header("content-type")).toStartWith("application/json");
  const envelope = success.safeParse(parsed(answer));
  if (!envelope.success) throw new Error(`Not the success envelope: ${answer.text}`);
  const data = shape.safeParse(envelope.data.data);
  if (!data.success) throw new Error(`${z.prettifyError(data.error)}\nin ${answer.text}`);
  return data.data;
}

/** Expects this status and the envelope with a matching error message; returns the message. */
export function expectFault(answer: HttpResponse, status: number, message: RegExp = /./): string {
  expect({ status: answer.status, body: answer.text }).toEqual({ status, body: answer.text });
  expect(answer.header("content-type")).toStartWith("application/json");
  const envelope = failure.safeParse(parsed(answer));
  if (!envelope.success) throw new Error(`Not the failure envelope: ${answer.text}`);
  expect(envelope.data.error.message).toMatch(message);
  return envelope.data.error.message;
}

/** Expects the security headers that hosting and downloads send with every status. */
export function expectSecurityHeaders(answer: HttpResponse): void {
  expect(answer.all("content-security-policy")).toEqual(["sandbox"]);
  expect(answer.all("x-content-type-options")).toEqual(["nosniff"]);
}

/** Polls until `check` returns true; throws after `limit` milliseconds, far more than a busy machine needs. */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  limit = 120_000,
  everyMs = 40,
): Promise<void> {
  const until = performance.now() + limit;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`Not within ${limit} ms: ${what}`);
    await Bun.sleep(everyMs);
  }
}

/** Waits until the clock of this machine is past a moment. */
export async function untilAfter(moment: number): Promise<void> {
  while (Date.now() <= moment) await Bun.sleep(moment - Date.now() + 1);
}

/** Waits until what happens next has another timestamp, in whole seconds, than what has happened. */
export const untilNextSecond = (): Promise<void> =>
  untilAfter(Math.floor(Date.now() / 1000) * 1000 + 999);
