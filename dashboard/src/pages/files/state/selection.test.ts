import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  clearSelection,
  EMPTY_SELECTION,
  extendTo,
  moveTo,
  retainExisting,
  selectAll,
  selectEach,
  selectOnly,
  stepFrom,
  toggle,
  toggleTo,
} from "./selection.ts";

const order = ["a", "b", "c", "d", "e"];
const idsOf = (selection: { selected: ReadonlySet<string> }) => [...selection.selected].join("");

describe("ranges of checkboxes", () => {
  test("select all since the last box, and keep the rest", () => {
    const first = toggle(toggle(EMPTY_SELECTION, "a"), "c");
    expect(idsOf(toggleTo(first, order, "e"))).toBe("acde");
    expect(idsOf(toggleTo(toggle(EMPTY_SELECTION, "d"), order, "b"))).toBe("dbc");
  });

  test("are cleared from a selected box", () => {
    const all = selectAll(EMPTY_SELECTION, order);
    expect(idsOf(toggleTo(toggle(all, "b"), order, "d"))).toBe("ae");
  });

  test("without a start, toggle a single box", () => {
    expect(idsOf(toggleTo(EMPTY_SELECTION, order, "c"))).toBe("c");
  });
});

describe("ranges", () => {
  test("extend from the anchor in either direction", () => {
    expect(idsOf(extendTo(selectOnly("b"), order, "d"))).toBe("bcd");
    expect(idsOf(extendTo(selectOnly("d"), order, "a"))).toBe("abcd");
  });

  test("flip around the anchor", () => {
    const down = extendTo(selectOnly("c"), order, "e");
    expect(idsOf(extendTo(down, order, "a"))).toBe("abc");
  });

  test("start at the last clicked entry", () => {
    expect(idsOf(extendTo(toggle(selectOnly("a"), "c"), order, "d"))).toBe("cd");
  });

  test("are a single entry if the anchor is not in the list", () => {
    expect(idsOf(extendTo(EMPTY_SELECTION, order, "d"))).toBe("d");
    expect(idsOf(extendTo(selectOnly("gone"), order, "d"))).toBe("d");
  });

  test("depend only on the anchor and the end", () => {
    const id = fc.constantFrom(...order);
    fc.assert(
      fc.property(id, id, fc.array(id), (from, to, between) => {
        const wandered = between.reduce(
          (selection, each) => extendTo(selection, order, each),
          selectOnly(from),
        );
        const [low, high] = [order.indexOf(from), order.indexOf(to)].sort();
        expect(idsOf(extendTo(wandered, order, to))).toBe(
          order.slice(low, (high ?? 0) + 1).join(""),
        );
      }),
    );
  });
});

describe("entries that are selected together", () => {
  test("replace the selection, or are added to it", () => {
    expect(idsOf(selectEach(selectOnly("a"), ["c", "d"], false))).toBe("cd");
    expect(selectEach(selectOnly("a"), ["d", "c"], true)).toEqual({
      selected: new Set(["a", "d", "c"]),
      anchor: "d",
      active: "c",
    });
  });

  test("keep the active entry if there are none", () => {
    const none = selectEach(selectOnly("a"), [], false);
    expect(none).toEqual({ selected: new Set(), anchor: "a", active: "a" });
  });
});

test("toggling twice restores the selection", () => {
  const start = selectAll(EMPTY_SELECTION, ["a", "b"]);
  expect(toggle(toggle(start, "c"), "c").selected).toEqual(start.selected);
  expect(idsOf(toggle(start, "a"))).toBe("b");
});

test("clearing the selection keeps the active entry", () => {
  expect(clearSelection(selectOnly("c"))).toEqual({
    selected: new Set(),
    anchor: "c",
    active: "c",
  });
});

describe("steps", () => {
  test("stop at both ends", () => {
    expect(stepFrom(selectOnly("b"), order, 1)).toBe("c");
    expect(stepFrom(selectOnly("b"), order, -3)).toBe("a");
    expect(stepFrom(selectOnly("b"), order, 100)).toBe("e");
  });

  test("start at the end they come from", () => {
    expect(stepFrom(EMPTY_SELECTION, order, 1)).toBe("a");
    expect(stepFrom(EMPTY_SELECTION, order, -1)).toBe("e");
    expect(stepFrom(EMPTY_SELECTION, order, Number.POSITIVE_INFINITY)).toBe("e");
    expect(stepFrom(EMPTY_SELECTION, order, Number.NEGATIVE_INFINITY)).toBe("a");
    expect(stepFrom(EMPTY_SELECTION, [], 1)).toBeUndefined();
  });
});

describe("a list that changes", () => {
  test("keeps the entries that still exist", () => {
    const selection = moveTo(selectAll(EMPTY_SELECTION, ["a", "b", "c"]), "b");
    expect(retainExisting(selection, ["a", "b", "c"], ["c", "a"])).toEqual({
      selected: new Set(["a", "c"]),
      anchor: "a",
      active: "c",
    });
  });

  test("moves the active entry to the nearest one left", () => {
    expect(retainExisting(selectOnly("c"), order, ["a", "b", "e"]).active).toBe("e");
    expect(retainExisting(selectOnly("e"), order, ["a", "b", "c"]).active).toBe("c");
    expect(retainExisting(selectOnly("c"), order, []).active).toBeUndefined();
  });

  test("returns the same object if nothing was removed", () => {
    const selection = selectAll(EMPTY_SELECTION, ["a", "b"]);
    expect(retainExisting(selection, ["a", "b"], order)).toBe(selection);
    expect(retainExisting(EMPTY_SELECTION, [], order)).toBe(EMPTY_SELECTION);
  });
});
