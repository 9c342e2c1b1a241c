import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseName } from "../../domain/names/name.ts";
import { endFiles } from "../../files/trash/end-files.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { createUploader, DAY, expectFault, folderAt, listAll } from "./catalog.fixture.ts";

const NAMES = ["a", "b", "c"];
const MINUTE = 60;

type Step =
  | { readonly do: "add" | "replace"; readonly name: string; readonly minutes: number | null }
  | { readonly do: "change"; readonly name: string; readonly minutes: number | null }
  | { readonly do: "rename"; readonly name: string; readonly to: string }
  | { readonly do: "restore" }
  | { readonly do: "job" }
  | { readonly do: "pass"; readonly minutes: number };

const name = fc.constantFrom(...NAMES);
const minutes = fc.option(fc.integer({ min: 1, max: 5 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("add" as const, "replace" as const), name, minutes }),
  fc.record({ do: fc.constant("change" as const), name, minutes }),
  fc.record({ do: fc.constant("rename" as const), name, to: name }),
  fc.constant({ do: "restore" as const }),
  fc.constant({ do: "job" as const }),
  fc.record({ do: fc.constant("pass" as const), minutes: fc.integer({ min: -3, max: 4 }) }),
);

/** A file as the model knows it. `ends`: in minutes of its clock; null: never. */
interface ModelFile {
  name: string;
  ends: number | null;
  inTrash: boolean;
}

const lifetimeOf = (given: number | null) =>
  (given === null ? "never" : `in ${given * MINUTE}`) as "never" | `in ${number}`;

export function lifetimesTreeSuite(fixture: () => CatalogFixture): void {
  describe("files that end, whatever happens", () => {
    let round = 0;

    test("are where a model says, with a clock that moves on and back", async () => {
      const { catalog, passTime } = fixture();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
          round += 1;
          const folder = `round ${round}`;
          const uploader = createUploader(catalog);
          const first = await uploader.addOne("first", { folder });
          await catalog.removeFiles(COMMAND_EVERYWHERE, [first.id]);
          const { id: folderId } = await folderAt(catalog, folder);
          const files = new Map<string, ModelFile>();
          let clock = 0;
          // A clock that has not quite reached the end: the time that the test itself takes must not count.
          const isEnded = ({ ends }: ModelFile) => ends !== null && ends <= clock;
          const holder = (wanted: string) =>
            [...files].find(([, file]) => !file.inTrash && file.name === wanted);
          /** A change that takes the name moves the ended file that has it. */
          function claim(wanted: string): void {
            const found = holder(wanted);
            if (found !== undefined && isEnded(found[1])) toTrash(found[1]);
          }
          function toTrash(file: ModelFile): void {
            file.inTrash = true;
            file.ends = null;
          }
          const endAt = (given: number | null) => (given === null ? null : clock + given - 0.5);

          async function take(one: Step): Promise<void> {
            if (one.do === "pass") {
              clock += one.minutes;
              await passTime(one.minutes * MINUTE);
            } else if (one.do === "job") {
              await endFiles(catalog, DAY);
              for (const file of files.values()) if (isEnded(file)) toTrash(file);
            } else if (one.do === "restore") {
              const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000 });
              const ids = items.map(({ id }) => id).filter((id) => files.get(id)?.inTrash === true);
              const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids });
              expect(restored.map(({ id }) => id).sort()).toEqual(ids.sort());
              // Names that are taken are numbered in an order that is not the model's.
              for (const [, file] of files) {
                if (!file.inTrash && isEnded(file)) {
                  const name = file.name;
                  if (restored.some(({ key }) => key === `${folder}/${name}`)) toTrash(file);
                }
              }
              for (const { id, key } of restored) {
                const file = files.get(id);
                if (file === undefined) continue;
                file.inTrash = false;
                file.ends = null;
                file.name = key.slice(folder.length + 1);
              }
              await removeNumbered();
            } else if (one.do === "rename") {
              const found = holder(one.name);
              const isThere = found !== undefined && !isEnded(found[1]);
              const change = { id: found?.[0] ?? "missing", name: parseName(one.to) };
              const work = catalog.changeFile(COMMAND_EVERYWHERE, change);
              if (!isThere) return expectFault(work, "not_found");
              if (one.to === one.name) return void (await work);
              claim(one.to);
              if (holder(one.to) !== undefined) {
                // Whatever the change has done is undone.
                return expectFault(work, "conflict");
              }
              await work;
              found[1].name = one.to;
            } else if (one.do === "change") {
              const found = holder(one.name);
              const lifetime = lifetimeOf(one.minutes === null ? null : one.minutes);
              const change = { id: found?.[0] ?? "missing", lifetime };
              const work = catalog.changeFile(COMMAND_EVERYWHERE, change);
              if (found === undefined || isEnded(found[1])) {
                return expectFault(work, "not_found");
              }
              await work;
              await halfEarlier(found[0], one.minutes);
              found[1].ends = endAt(one.minutes);
            } else {
              claim(one.name);
              const taken = holder(one.name);
              const lifetime = lifetimeOf(one.minutes);
              const onConflict = one.do === "replace" ? "replace" : "refuse";
              const work = uploader.addOne(one.name, { folder, lifetime, onConflict });
              if (taken !== undefined && one.do === "add") {
                return expectFault(work, "conflict");
              }
              const file = await work;
              if (taken !== undefined) expect(file.id).toBe(taken[0]);
              await halfEarlier(file.id, one.minutes);
              files.set(file.id, { name: one.name, ends: endAt(one.minutes), inTrash: false });
            }
          }

          /** So that no end is at a whole minute, when the clock of the model shows it. */
          async function halfEarlier(id: string, given: number | null): Promise<void> {
            if (given === null) return;
            const lifetime = `in ${given * MINUTE - MINUTE / 2}` as const;
            await catalog.changeFile(COMMAND_EVERYWHERE, { id, lifetime });
          }

          async function removeNumbered(): Promise<void> {
            for (const [id, file] of files) {
              if (file.inTrash || NAMES.includes(file.name)) continue;
              await catalog.removeFiles(COMMAND_EVERYWHERE, [id]);
              files.delete(id);
            }
          }

          for (const one of steps) {
            await take(one);
            const shown = (await listAll(catalog, { folderId })).map(({ id }) => id).sort();
            const wanted = [...files].filter(([, file]) => !file.inTrash && !isEnded(file));
            expect(shown).toEqual(wanted.map(([id]) => id).sort());
          }
          const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000 });
          const trashed = items.map(({ id }) => id).filter((id) => files.has(id));
          const inTrash = [...files].filter(([, file]) => file.inTrash).map(([id]) => id);
          expect(trashed.sort()).toEqual(inTrash.sort());
          await catalog.removeFolder(COMMAND_EVERYWHERE, folderId);
        }),
        { numRuns: 15 },
      );
    });
  });
}
