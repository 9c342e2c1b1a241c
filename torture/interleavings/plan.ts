import fc from "fast-check";
import type { Act } from "./act.ts";
import { rootOf, type Tree } from "./tree.ts";

// Few names, so that they meet often, and such as a careless prefix or pattern would mix up.
const aName = fc.constantFrom("a", "ab", "a_b", "a%", "é😀");
const aPath = fc.array(aName, { maxLength: 3 }).map((names) => names.join("/"));
const aVisibility = fc.constantFrom<"public" | "private">("public", "private");
/** Which of what exists at that moment. */
const aPick = fc.nat({ max: 1000 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** An act whose subjects are yet to be picked from what exists. */
const aStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("upload" as const),
      folder: aPath,
      names: fc.uniqueArray(aName, { minLength: 1, maxLength: 2 }),
      visibility: aVisibility,
      folderFirst: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("create" as const), path: aPath }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      pick: aPick,
      name: aName,
      visibility: maybe(aVisibility),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      pick: aPick,
      to: aPick,
      name: maybe(aName),
      visibility: maybe(aVisibility),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      pick: aPick,
      visibility: aVisibility,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("delete files" as const),
      picks: fc.array(aPick, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete folder" as const), pick: aPick }) },
);

type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;

/** Batches of steps: those of one batch are sent at once, up to three. */
export const aPlan: fc.Arbitrary<Step[][]> = fc
  .tuple(
    fc.array(aStep, { minLength: 2, maxLength: 3 }),
    fc.array(fc.array(aStep, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  )
  .map(([first, more]) => [first, ...more]);

let uploads = 0;

/** The step as an act on what is there now; undefined: there is nothing to do it to. */
export function actOf(step: Step, tree: Tree): Act | undefined {
  const pick = (ids: readonly string[], at: number): string | undefined => ids[at % ids.length];
  const ids = [...tree.keys()];
  const folders = ids.filter((id) => tree.get(id)?.kind === "folder");
  if (step.do === "create") return step;
  if (step.do === "upload") {
    uploads += 1;
    return { ...step, content: `upload ${uploads}` };
  }
  if (step.do === "delete files") {
    const files = ids.filter((id) => tree.get(id)?.kind === "file");
    const picked = step.picks.flatMap((at) => pick(files, at) ?? []);
    return picked.length === 0 ? undefined : { do: step.do, ids: [...new Set(picked)] };
  }
  if (step.do === "delete folder") {
    return { do: step.do, id: pick(folders, step.pick) ?? rootOf(tree) };
  }
  const id = pick(ids, step.pick) ?? rootOf(tree);
  const { name, visibility } = { name: undefined, ...step };
  const to = "to" in step ? pick(folders, step.to) : undefined;
  return {
    do: "change",
    kind: tree.get(id)?.kind ?? "folder",
    id,
    ...(name === undefined ? {} : { name }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(to === undefined ? {} : { to }),
  };
}
