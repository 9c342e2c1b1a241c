import { describe, expect, test } from "bun:test";
import { attempt, chain } from "./maybe-promise.ts";

const later = async <T>(value: T): Promise<T> => value;
const refused = async (): Promise<never> => {
  throw new Error("refused");
};
const messageOf = (error: unknown): string => `attempt: ${(error as Error).message}`;

describe("then", () => {
  test("goes on at once with a value that is there", () => {
    expect(chain(1, (value) => value + 1)).toBe(2);
  });

  test("waits for a promise, before and after", async () => {
    expect(await chain(later(1), (value) => value + 1)).toBe(2);
    expect(await chain(1, (value) => later(value + 1))).toBe(2);
    expect(await chain(later(1), (value) => later(value + 1))).toBe(2);
  });

  test("passes on what went wrong", async () => {
    await expect(chain(refused(), () => 1) as Promise<number>).rejects.toThrow("refused");
  });
});

describe("attempt", () => {
  test("leaves an outcome as it is", async () => {
    expect(attempt(() => "done", messageOf)).toBe("done");
    expect(await attempt(() => later("done"), messageOf)).toBe("done");
  });

  test("makes something of an error, thrown or rejected", async () => {
    const thrower = (): string => {
      throw new Error("thrown");
    };
    expect(attempt(thrower, messageOf)).toBe("attempt: thrown");
    expect(await attempt<string>(refused, messageOf)).toBe("attempt: refused");
  });
});
