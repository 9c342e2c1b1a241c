import fc from "fast-check";
import type { Operation } from "./operation.ts";
import { rootOf, type Tree } from "./tree.ts";

// Few names, so that they collide often; prefixes and SQL patterns of each other.
const names = fc.constantFrom("a", "ab", "a_b", "a%", "é😀");
const paths = fc.array(names, { maxLength: 3 }).map((names) => names.join("/"));
const visibilities = fc.constantFrom<"public" | "private">("public", "private");
/** Picks one of the nodes that exist at that moment. */
const picks = fc.nat({ max: 1000 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** An operation whose subjects are picked when it runs. */
const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("upload" as const),
      folder: paths,
      names: fc.uniqueArray(names, { minLength: 1, maxLength: 2 }),
      visibility: visibilities,
      folderFirst: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("create" as const), path: paths }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      pick: picks,
      name: names,
      visibility: optional(visibilities),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      pick: picks,
      to: picks,
      name: optional(names),
      visibility: optional(visibilities),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      pick: picks,
      visibility: visibilities,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("delete files" as const),
      picks: fc.array(picks, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete folder" as const), pick: picks }) },
);

type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/** Batches of two or three steps each; the steps of a batch are sent concurrently. */
export const plans: fc.Arbitrary<Step[][]> = fc
  .tuple(
    fc.array(steps, { minLength: 2, maxLength: 3 }),
    fc.array(fc.array(steps, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  )
  .map(([first, more]) => [first, ...more]);

let uploads = 0;

/** The step as an operation on the present tree; undefined: the tree has no subject for it. */
export function operationOf(step: Step, tree: Tree): Operation | undefined {
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
