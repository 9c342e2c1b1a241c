import { expect, test } from "bun:test";
import type { Operation } from "../operations.ts";
import { announcement } from "./describe-operations.ts";

const running = (id: number, title: string): Operation => ({
  id,
  title,
  done: 0,
  total: 2,
  waitingMessage: undefined,
  stop() {},
  isShown: true,
  mayStop: true,
  isStopped: false,
  outcome: undefined,
});

const ended = (operation: Operation, text: string, endOrder: number): Operation => ({
  ...operation,
  outcome: { text },
  endOrder,
});

test("announces an operation that begins, and the one that ended last, in whatever order they began", () => {
  const copy = running(1, "Copying");
  const move = running(2, "Moving");
  expect(announcement([copy])).toBe("Copying");
  expect(announcement([copy, move])).toBe("Moving");
  const moved = ended(move, "Moved.", 1);
  expect(announcement([copy, moved])).toBe("Moved.");
  expect(announcement([ended(copy, "Copied.", 2), moved])).toBe("Copied.");
  expect(announcement([ended(copy, "Copied.", 2), moved, running(3, "Deleting")])).toBe(
    "Copied. Deleting",
  );
});
