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
  test("go from the anchor in either direction", () => {
    expect(chosen(extendTo(chooseOnly("b"), order, "d"))).toBe("bcd");
    expect(chosen(extendTo(chooseOnly("d"), order, "a"))).toBe("abcd");
  });

  test("turn around their anchor", () => {
    const down = extendTo(chooseOnly("c"), order, "e");
    expect(chosen(extendTo(down, order, "a"))).toBe("abc");
  });

  test("begin where the last press was", () => {
    expect(chosen(extendTo(toggle(chooseOnly("a"), "c"), order, "d"))).toBe("cd");
  });

  test("without an anchor in the list are the one entry", () => {
    expect(chosen(extendTo(NOTHING, order, "d"))).toBe("d");
    expect(chosen(extendTo(chooseOnly("gone"), order, "d"))).toBe("d");
  });

  test("are what lies between, whatever came before", () => {
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

test("toggling twice changes nothing of what is chosen", () => {
  const start = chooseAll(NOTHING, ["a", "b"]);
  expect(toggle(toggle(start, "c"), "c").chosen).toEqual(start.chosen);
  expect(chosen(toggle(start, "a"))).toBe("b");
});

test("nothing chosen leaves the keyboard where it was", () => {
  expect(chooseNone(chooseOnly("c"))).toEqual({ chosen: new Set(), anchor: "c", active: "c" });
});

describe("steps", () => {
  test("end at the ends", () => {
    expect(step(chooseOnly("b"), order, 1)).toBe("c");
    expect(step(chooseOnly("b"), order, -3)).toBe("a");
    expect(step(chooseOnly("b"), order, 100)).toBe("e");
  });

  test("begin at the nearer end", () => {
    expect(step(NOTHING, order, 1)).toBe("a");
    expect(step(NOTHING, order, -1)).toBe("e");
    expect(step(NOTHING, order, Number.POSITIVE_INFINITY)).toBe("e");
    expect(step(NOTHING, order, Number.NEGATIVE_INFINITY)).toBe("a");
    expect(step(NOTHING, [], 1)).toBeUndefined();
  });
});

describe("a list that changes", () => {
  test("keeps what is still there", () => {
    const selection = moveTo(chooseAll(NOTHING, ["a", "b", "c"]), "b");
    expect(keepOf(selection, ["a", "b", "c"], ["c", "a"])).toEqual({
      chosen: new Set(["a", "c"]),
      anchor: "a",
      active: "c",
    });
  });

  test("keeps the keyboard near the place that is gone", () => {
    expect(keepOf(chooseOnly("c"), order, ["a", "b", "e"]).active).toBe("e");
    expect(keepOf(chooseOnly("e"), order, ["a", "b", "c"]).active).toBe("c");
    expect(keepOf(chooseOnly("c"), order, []).active).toBeUndefined();
  });

  test("without a loss is no change at all", () => {
    const selection = chooseAll(NOTHING, ["a", "b"]);
    expect(keepOf(selection, ["a", "b"], order)).toBe(selection);
    expect(keepOf(NOTHING, [], order)).toBe(NOTHING);
  });
});
