import { describe, expect, test } from "bun:test";
import { attempt, chain } from "./maybe-promise.ts";

const later = async <T>(value: T): Promise<T> => value;
const refused = async (): Promise<never> => {
  throw new Error("refused");
};
const messageOf = (error: unknown): string => `attempt: ${(error as Error).message}`;

describe("chain", () => {
  test("continues synchronously with a value", () => {
    expect(chain(1, (value) => value + 1)).toBe(2);
  });

  test("waits for a promise as the value or as the result", async () => {
    expect(await chain(later(1), (value) => value + 1)).toBe(2);
    expect(await chain(1, (value) => later(value + 1))).toBe(2);
    expect(await chain(later(1), (value) => later(value + 1))).toBe(2);
  });

  test("passes a rejection on", async () => {
    await expect(chain(refused(), () => 1) as Promise<number>).rejects.toThrow("refused");
  });
});

describe("attempt", () => {
  test("returns the result if nothing fails", async () => {
    expect(attempt(() => "done", messageOf)).toBe("done");
    expect(await attempt(() => later("done"), messageOf)).toBe("done");
  });

  test("rescues a thrown error and a rejection", async () => {
    const thrower = (): string => {
      throw new Error("thrown");
    };
    expect(attempt(thrower, messageOf)).toBe("attempt: thrown");
    expect(await attempt<string>(refused, messageOf)).toBe("attempt: refused");
  });
});
