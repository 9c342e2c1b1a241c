import { expect, test } from "bun:test";
import { Fault } from "../rules/fault.ts";
import { createLine, type Letter, type Line } from "./rpc-channel.ts";

interface Left {
  double(count: number): number;
  refuse(input: null): void;
  slowly(count: number): Promise<number>;
  wait(input: null): Promise<void>;
}

interface Right {
  greet(name: string): Promise<string>;
}

interface Pair {
  /** Asks the one that does what `Left` says. */
  readonly left: Line<Left>;
  readonly right: Line<Right>;
  readonly letters: Letter[];
}

/** Two ends, with letters copied as they are between processes. */
function connected(): Pair {
  const letters: Letter[] = [];
  const left = createLine<Left>(
    (letter) => {
      letters.push(letter);
      right.receive(structuredClone(letter));
    },
    { greet: async (name: string) => `Hello ${name}` },
  );
  const right: Line<Right> = createLine<Right>((letter) => left.receive(structuredClone(letter)), {
    double: (count: number) => count * 2,
    slowly: async (count: number) => {
      await Bun.sleep(20);
      return count;
    },
    refuse: () => {
      throw new Fault("limited", "Too many.", { retryAfter: 7 });
    },
    wait: () => new Promise(() => {}),
  });
  return { left, right, letters };
}

test("both ends ask, at the same time", async () => {
  const { left, right } = connected();
  const answers = await Promise.all([
    left.ask("double", 21),
    right.ask("greet", "Ada"),
    left.ask("double", 4),
  ]);
  expect(answers).toEqual([42, "Hello Ada", 8]);
});

test("what takes a while is answered too, also while other letters come and go", async () => {
  const { left } = connected();
  const slow = left.ask("slowly", 7);
  for (let count = 0; count < 5; count += 1)
    expect(await left.ask("double", count)).toBe(2 * count);
  expect(await slow).toBe(7);
});

test("what is asked in one turn goes in one letter", async () => {
  const { left, letters } = connected();
  await Promise.all(Array.from({ length: 50 }, (_, count) => left.ask("double", count)));
  expect(letters.length).toBe(1);
});

test("a fault crosses over whole", async () => {
  const { left } = connected();
  const fault = await left.ask("refuse", null).catch((cause: unknown) => cause);
  if (!(fault instanceof Fault)) throw new Error(`No fault: ${fault}`);
  expect([fault.kind, fault.message, fault.retryAfter]).toEqual(["limited", "Too many.", 7]);
});

test("what is not answered fails when the other end is gone, and so does what is asked then", async () => {
  const { left } = connected();
  const waiting = left.ask("wait", null);
  await left.ask("double", 1);
  left.end();
  await expect(waiting).rejects.toThrow("has ended");
  await expect(left.ask("double", 1)).rejects.toThrow("has ended");
});
