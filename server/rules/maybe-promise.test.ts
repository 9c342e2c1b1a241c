import { describe, expect, test } from "bun:test";
import { rescued, then } from "./maybe-promise.ts";

const later = async <T>(value: T): Promise<T> => value;
const refused = async (): Promise<never> => {
  throw new Error("refused");
};
const messageOf = (error: unknown): string => `rescued: ${(error as Error).message}`;

describe("then", () => {
  test("goes on at once with a value that is there", () => {
    expect(then(1, (value) => value + 1)).toBe(2);
  });

  test("waits for a promise, before and after", async () => {
    expect(await then(later(1), (value) => value + 1)).toBe(2);
    expect(await then(1, (value) => later(value + 1))).toBe(2);
    expect(await then(later(1), (value) => later(value + 1))).toBe(2);
  });

  test("passes on what went wrong", async () => {
    await expect(then(refused(), () => 1) as Promise<number>).rejects.toThrow("refused");
  });
});

describe("rescued", () => {
  test("leaves an outcome as it is", async () => {
    expect(rescued(() => "done", messageOf)).toBe("done");
    expect(await rescued(() => later("done"), messageOf)).toBe("done");
  });

  test("makes something of an error, thrown or rejected", async () => {
    const thrower = (): string => {
      throw new Error("thrown");
    };
    expect(rescued(thrower, messageOf)).toBe("rescued: thrown");
    expect(await rescued<string>(refused, messageOf)).toBe("rescued: refused");
  });
});
