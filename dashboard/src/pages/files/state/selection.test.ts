import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  chooseAll,
  chooseNone,
  chooseOnly,
  extendTo,
  keepOf,
  moveTo,
  NOTHING,
  step,
  toggle,
} from "./selection.ts";

const order = ["a", "b", "c", "d", "e"];
const chosen = (selection: { chosen: ReadonlySet<string> }) => [...selection.chosen].join("");

describe("ranges", () => {
  test("extend from the anchor in either direction", () => {
    expect(chosen(extendTo(chooseOnly("b"), order, "d"))).toBe("bcd");
    expect(chosen(extendTo(chooseOnly("d"), order, "a"))).toBe("abcd");
  });

  test("flip around the anchor", () => {
    const down = extendTo(chooseOnly("c"), order, "e");
    expect(chosen(extendTo(down, order, "a"))).toBe("abc");
  });

  test("start at the last clicked entry", () => {
    expect(chosen(extendTo(toggle(chooseOnly("a"), "c"), order, "d"))).toBe("cd");
  });

  test("are a single entry if the anchor is not in the list", () => {
    expect(chosen(extendTo(NOTHING, order, "d"))).toBe("d");
    expect(chosen(extendTo(chooseOnly("gone"), order, "d"))).toBe("d");
  });

  test("depend only on the anchor and the end", () => {
    const id = fc.constantFrom(...order);
    fc.assert(
      fc.property(id, id, fc.array(id), (from, to, between) => {
        const wandered = between.reduce(
          (selection, each) => extendTo(selection, order, each),
          chooseOnly(from),
        );
        const [low, high] = [order.indexOf(from), order.indexOf(to)].sort();
        expect(chosen(extendTo(wandered, order, to))).toBe(
          order.slice(low, (high ?? 0) + 1).join(""),
        );
      }),
    );
  });
});

test("toggling twice restores the selection", () => {
  const start = chooseAll(NOTHING, ["a", "b"]);
  expect(toggle(toggle(start, "c"), "c").chosen).toEqual(start.chosen);
  expect(chosen(toggle(start, "a"))).toBe("b");
});

test("clearing the selection keeps the active entry", () => {
  expect(chooseNone(chooseOnly("c"))).toEqual({ chosen: new Set(), anchor: "c", active: "c" });
});

describe("steps", () => {
  test("stop at both ends", () => {
    expect(step(chooseOnly("b"), order, 1)).toBe("c");
    expect(step(chooseOnly("b"), order, -3)).toBe("a");
    expect(step(chooseOnly("b"), order, 100)).toBe("e");
  });

  test("start at the end they come from", () => {
    expect(step(NOTHING, order, 1)).toBe("a");
    expect(step(NOTHING, order, -1)).toBe("e");
    expect(step(NOTHING, order, Number.POSITIVE_INFINITY)).toBe("e");
    expect(step(NOTHING, order, Number.NEGATIVE_INFINITY)).toBe("a");
    expect(step(NOTHING, [], 1)).toBeUndefined();
  });
});

describe("a list that changes", () => {
  test("keeps the entries that still exist", () => {
    const selection = moveTo(chooseAll(NOTHING, ["a", "b", "c"]), "b");
    expect(keepOf(selection, ["a", "b", "c"], ["c", "a"])).toEqual({
      chosen: new Set(["a", "c"]),
      anchor: "a",
      active: "c",
    });
  });

  test("moves the active entry to the nearest one left", () => {
    expect(keepOf(chooseOnly("c"), order, ["a", "b", "e"]).active).toBe("e");
    expect(keepOf(chooseOnly("e"), order, ["a", "b", "c"]).active).toBe("c");
    expect(keepOf(chooseOnly("c"), order, []).active).toBeUndefined();
  });

  test("returns the same object if nothing was removed", () => {
    const selection = chooseAll(NOTHING, ["a", "b"]);
    expect(keepOf(selection, ["a", "b"], order)).toBe(selection);
    expect(keepOf(NOTHING, [], order)).toBe(NOTHING);
  });
});
