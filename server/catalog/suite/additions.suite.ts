import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { createUploader, listAll } from "./catalog.fixture.ts";
import { readFeed } from "./feed.suite.ts";

const actors = [
  { kind: "account", id: "1", name: "ada@example.com" },
  { kind: "key", id: "2", name: "backend" },
] as const;

/** A request that adds files. */
const request = fc.record({
  names: fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f", "taken"), {
    minLength: 1,
    maxLength: 3,
  }),
  actor: fc.constantFrom(...actors),
  visibility: fc.constantFrom("public" as const, "private" as const, undefined),
  hasLease: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
});

export function additionsSuite(fixture: () => CatalogFixture): void {
  describe("requests that add to one folder at the same time", () => {
    test("are refused and recorded each for itself", async () => {
      const { catalog } = fixture();
      const [own, others] = [createUploader(catalog, "own"), createUploader(catalog, "others")];
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(request, { minLength: 1, maxLength: 12 }),
          fc.boolean(),
          async (requests, exists) => {
            run += 1;
            const folder = `run ${run}`;
            if (exists) await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${folder}/taken`));
            const start = await catalog.feedEnd();
            const inputs = await Promise.all(
              requests.map(async ({ names, visibility, hasLease }) => ({
                folder: parseKey(folder),
                files: await Promise.all(
                  names.map(async (name) => ({
                    name: parseName(name),
                    mimeType: "text/plain",
                    size: 1,
                    blobId: await (hasLease ? own : others).takeBlob(),
                    checksum: 0,
                    sha256: null,
                  })),
                ),
                visibility,
                defaultVisibility: "public" as const,
                owner: "own",
              })),
            );
            const outcomes = await Promise.allSettled(
              inputs.map((input, index) =>
                catalog.addFiles(
                  { ...COMMAND_EVERYWHERE, actor: requests[index]?.actor ?? actors[0] },
                  input,
                ),
              ),
            );

            const added: FileRecord[] = [];
            const entries: string[] = [];
            for (const [index, outcome] of outcomes.entries()) {
              const [input, actor] = [inputs[index], requests[index]?.actor];
              if (outcome.status === "rejected") continue;
              expect(outcome.value).toMatchObject(
                (input?.files ?? []).map(({ name, blobId }) => ({
                  key: parseKey(`${folder}/${name}`),
                  blobId,
                  visibility: input?.visibility ?? "public",
                })),
              );
              added.push(...outcome.value);
              entries.push(...outcome.value.map(({ id }) => `file.created ${id} ${actor?.id}`));
            }
            const given = new Set<string>(added.map(({ name }) => name));
            expect(given.size).toBe(added.length);
            if (exists) given.add("taken");
            for (const [index, outcome] of outcomes.entries()) {
              if (outcome.status === "fulfilled") continue;
              const { names = [], hasLease } = requests[index] ?? {};
              const repeats = new Set(names).size < names.length;
              expect(outcome.reason).toMatchObject({ kind: hasLease ? "conflict" : "unavailable" });
              if (hasLease && !repeats) expect(names.some((name) => given.has(name))).toBe(true);
            }

            const inFolder = (await listAll(catalog)).filter(({ key }) =>
              key.startsWith(`${folder}/`),
            );
            expect(inFolder.map(({ id }) => id).sort()).toEqual(added.map(({ id }) => id).sort());
            const feed = (await readFeed(catalog, start)).map(({ change, actor }) =>
              "file" in change ? `${change.kind} ${change.file.id} ${actor.id}` : change.kind,
            );
            if (!exists && added.length > 0) entries.push("folder.created");
            expect(feed.sort()).toEqual(entries.sort());
          },
        ),
        { numRuns: 30 },
      );
    });
  });
}
