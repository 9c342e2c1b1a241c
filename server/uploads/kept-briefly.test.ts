import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createKeptBriefly } from "./kept-briefly.ts";

const LONG_MS = 600_000;

/** A keeper of texts, and the texts that it has ended. */
function keeper(maxUploads = 2, keptMs = LONG_MS) {
  const ended: string[] = [];
  const kept = createKeptBriefly<string>({
    maxUploads,
    keptMs,
    end: (value) => void ended.push(value),
  });
  return { kept, ended };
}

describe("a value that is kept briefly", () => {
  test("is taken once, at its position", () => {
    const { kept, ended } = keeper();
    kept.keep("a", 5, "value");
    expect(kept.take("a", 5)).toBe("value");
    expect(kept.take("a", 5)).toBeUndefined();
    expect(ended).toEqual([]);
  });

  test("ends when another position is asked for", () => {
    const { kept, ended } = keeper();
    kept.keep("a", 5, "value");
    expect(kept.take("a", 6)).toBeUndefined();
    expect(kept.take("a", 5)).toBeUndefined();
    expect(ended).toEqual(["value"]);
  });

  test("ends when its time is over", async () => {
    const over = Promise.withResolvers<string>();
    const kept = createKeptBriefly<string>({ maxUploads: 1, keptMs: 1, end: over.resolve });
    kept.keep("a", 0, "value");
    expect(await over.promise).toBe("value");
    expect(kept.take("a", 0)).toBeUndefined();
  });

  test("does not end with the time of the value before it", async () => {
    const ended: string[] = [];
    const over = Promise.withResolvers<void>();
    const kept = createKeptBriefly<string>({
      maxUploads: 2,
      keptMs: 100,
      end(value) {
        ended.push(value);
        over.resolve();
      },
    });
    kept.keep("a", 0, "first");
    kept.keep("b", 0, "just after the first");
    expect(kept.take("a", 0)).toBe("first");
    // Absence: the time of the first value is over before that of the second.
    await Bun.sleep(50);
    kept.keep("a", 0, "second");
    await over.promise;
    expect(ended).toEqual(["just after the first"]);
    expect(kept.take("a", 0)).toBe("second");
  });

  test("stays if another value is dropped", async () => {
    const { kept, ended } = keeper();
    kept.keep("a", 0, "second");
    await kept.drop("a", "first");
    expect(ended).toEqual([]);
    await kept.drop("a", "second");
    expect(ended).toEqual(["second"]);
    await kept.drop("a");
    expect(ended).toEqual(["second"]);
  });

  test("has ended when its drop, or the close of all, is over", async () => {
    const ended: string[] = [];
    const kept = createKeptBriefly<string>({
      maxUploads: 3,
      keptMs: LONG_MS,
      async end(value) {
        await Promise.resolve();
        ended.push(value);
      },
    });
    for (const id of ["a", "b", "c"]) kept.keep(id, 0, id);
    await kept.drop("b");
    expect(ended).toEqual(["b"]);
    await kept.close();
    expect(ended.sort()).toEqual(["a", "b", "c"]);
  });
});

const id = fc.constantFrom("a", "b", "c", "d");
const position = fc.nat({ max: 2 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("keep" as const), id, position }),
  fc.record({ kind: fc.constant("take" as const), id, position }),
  fc.record({ kind: fc.constant("drop" as const), id }),
);

test("in any order, the latest values are kept up to the limit, and each is taken or ends once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 2 }), fc.array(step), async (more, steps) => {
      const maxUploads = more + 1;
      const { kept, ended } = keeper(maxUploads);
      /** Oldest first. */
      const model = new Map<string, { readonly position: number; readonly value: string }>();
      const expected: string[] = [];
      const end = (key: string | undefined): void => {
        const entry = key === undefined ? undefined : model.get(key);
        if (key === undefined || entry === undefined) return;
        model.delete(key);
        expected.push(entry.value);
      };
      for (const [at, each] of steps.entries()) {
        if (each.kind === "keep") {
          const value = `value ${at}`;
          kept.keep(each.id, each.position, value);
          end(each.id);
          if (model.size === maxUploads) end(model.keys().next().value);
          model.set(each.id, { position: each.position, value });
        } else if (each.kind === "take") {
          const entry = model.get(each.id);
          const isThere = entry?.position === each.position;
          expect(kept.take(each.id, each.position)).toBe(isThere ? entry.value : undefined);
          if (isThere) model.delete(each.id);
          else end(each.id);
        } else {
          await kept.drop(each.id);
          end(each.id);
        }
        expect(ended).toEqual(expected);
      }
      await kept.close();
      expect(ended).toEqual([...expected, ...[...model.values()].map(({ value }) => value)]);
    }),
  );
});
