import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { type Counters, MAX_FILES_PER_DAY } from "../port/counters.ts";
import { type CatalogFixture, createUploader, folderAt } from "./catalog.fixture.ts";

const HOUR = 3_600_000;

export function trafficSuite(fixture: () => CatalogFixture): void {
  test("traffic adds up by the hour", async () => {
    const { catalog } = fixture();
    const total = (number: number, requests: number, errors = 1) => ({
      period: number * HOUR,
      subject: "",
      requests,
      bytes: requests * 1000,
      errors,
    });
    const missing = (number: number, requests = 1) => ({
      period: number * HOUR,
      subject: "404",
      requests,
      bytes: 0,
      errors: requests,
    });
    const hour = (number: number, requests: number) => [total(number, requests), missing(number)];
    await catalog.addCounts("hour", []);
    await Promise.all([
      catalog.addCounts("hour", [...hour(3, 10), ...hour(1, 5)]),
      catalog.addCounts("hour", [...hour(3, 7), ...hour(2, 2 ** 40)]),
    ]);
    const two = hour(2, 2 ** 40);
    const three = [total(3, 17, 2), missing(3, 2)];
    expect(await catalog.counts("hour", 0)).toEqual([...hour(1, 5), ...two, ...three]);
    expect(await catalog.counts("hour", 2 * HOUR)).toEqual([...two, ...three]);
    expect(await catalog.counts("hour", 2 * HOUR + 1)).toEqual(three);
    await catalog.removeCounts("hour", 2 * HOUR);
    expect(await catalog.counts("hour", 0)).toEqual([...two, ...three]);
    await catalog.removeCounts("hour", 2 * HOUR + 1);
    // No status is left of the hours that were removed.
    await catalog.addCounts("hour", [total(2, 1, 0)]);
    expect(await catalog.counts("hour", 0)).toEqual([total(2, 1, 0), ...three]);
  });

  test("counts of one kind are apart from those of the others", async () => {
    const { catalog } = fixture();
    const kinds = ["hour", "key", "file"] as const;
    const count = (requests: number) => ({ period: HOUR, subject: "x", requests, bytes: 0 });
    for (const [index, kind] of kinds.entries()) {
      await catalog.addCounts(kind, [count(index + 1)]);
    }
    const requests = async () =>
      Promise.all(
        kinds.map(async (kind) => (await catalog.totals(kind, 0)).map((each) => each.requests)),
      );
    expect(await requests()).toEqual([[1], [2], [3]]);
    await catalog.removeCounts("key", 2 * HOUR);
    expect(await requests()).toEqual([[1], [], [3]]);
    await catalog.removeCounts("hour", 2 * HOUR);
    expect(await requests()).toEqual([[], [], [3]]);
  });

  test("errors are counted by status, in the order of the statuses", async () => {
    const { catalog } = fixture();
    const counts = (...errorsByStatus: [number, number][]) =>
      errorsByStatus.map(([status, requests]) => ({
        period: HOUR,
        subject: `${status}`,
        requests,
        bytes: 0,
        errors: requests,
      }));
    await Promise.all([
      catalog.addCounts("hour", counts([503, 1], [404, 2 ** 40], [416, 3])),
      catalog.addCounts("hour", counts([404, 1], [401, 7])),
    ]);
    expect(await catalog.counts("hour", 0)).toEqual(
      counts([401, 7], [404, 2 ** 40 + 1], [416, 3], [503, 1]),
    );
  });

  test("traffic of keys adds up by the day, and old days are removed", async () => {
    const { catalog } = fixture();
    const DAY = 24 * HOUR;
    const of = (subject: string, day: number, requests: number) => ({
      subject,
      period: day * DAY,
      requests,
      bytes: requests * 2 ** 40,
      errors: 1,
    });
    await catalog.addCounts("key", []);
    await Promise.all([
      catalog.addCounts("key", [of("b", 3, 10), of("a", 1, 5)]),
      catalog.addCounts("key", [of("a", 3, 7), of("b", 3, 1), of("a", 2, 1)]),
      catalog.addCounts(
        "key",
        Array.from({ length: 300 }, (_, n) => of(`many ${n}`, 1, 1)),
      ),
    ]);
    const totals = async (since: number) =>
      (await catalog.totals("key", since))
        .filter(({ subject }) => subject.length === 1)
        .map(({ subject, requests, bytes, errors }) => [subject, requests, bytes / 2 ** 40, errors])
        .sort();
    expect(await catalog.totals("key", 0)).toHaveLength(302);
    expect(await totals(0)).toEqual([
      ["a", 13, 13, 3],
      ["b", 11, 11, 2],
    ]);
    await catalog.removeCounts("key", 2 * DAY);
    expect(await totals(0)).toEqual([
      ["a", 8, 8, 2],
      ["b", 11, 11, 2],
    ]);
    expect(await totals(3 * DAY)).toEqual([
      ["a", 7, 7, 1],
      ["b", 11, 11, 2],
    ]);
  });

  describe("requests for files", () => {
    const DAY = 24 * HOUR;
    const counts = (subject: string, requests: number, weight = requests) => ({
      subject,
      requests,
      bytes: requests * 2 ** 30,
      weight,
    });
    const addFiles = (
      catalog: Counters,
      period: number,
      files: readonly ReturnType<typeof counts>[],
    ) =>
      catalog.addCounts(
        "file",
        files.map((each) => ({ period, ...each })),
      );

    test("add up over days, most requests first, and old days are removed", async () => {
      const { catalog } = fixture();
      const [a, b, c] = await createUploader(catalog).add(["a", "b", "c"], { folder: "x" });
      if (!a || !b || !c) throw new Error("addFiles returned too few records.");
      await addFiles(catalog, DAY, []);
      await Promise.all([
        addFiles(catalog, DAY, [counts(a.id, 100)]),
        addFiles(catalog, 3 * DAY, [counts(b.id, 5), counts(a.id, 1), counts(c.id, 2)]),
        addFiles(catalog, 3 * DAY, [counts(c.id, 1), counts(b.id, 2)]),
      ]);
      const requested = async (since: number, limit = 10) =>
        (await catalog.requestedFiles(since, limit)).map(({ file, requests, bytes }) => {
          expect(bytes).toBe(requests * 2 ** 30);
          return `${file.key} ${requests}`;
        });
      expect(await requested(0)).toEqual(["x/a 101", "x/b 7", "x/c 3"]);
      expect(await requested(0, 1)).toEqual(["x/a 101"]);
      expect(await requested(3 * DAY)).toEqual(["x/b 7", "x/c 3", "x/a 1"]);
      expect((await catalog.requestedFiles(0, 1))[0]?.file).toEqual(a);
      await catalog.removeCounts("file", 2 * DAY + HOUR);
      expect(await requested(0, 2)).toEqual(await requested(3 * DAY, 2));
      expect(await requested(4 * DAY)).toEqual([]);
    });

    test("are shown with current names, without deleted files and those in the trash", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [kept] = await uploader.add(["kept"], { folder: "x" });
      const others = [
        await uploader.addOne("removed", { folder: "x" }),
        await uploader.addOne("trashed", { folder: "x" }),
        await uploader.addOne("inside", { folder: "y" }),
      ];
      const unknown = Array.from({ length: 220 }, (_, n) => counts(`gone ${n}`, 1000));
      const known = [kept, ...others].map((file) => counts(file?.id ?? "", 5));
      await addFiles(catalog, 0, [...unknown, ...known]);
      await catalog.removeFiles(COMMAND_EVERYWHERE, [others[0]?.id ?? ""]);
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [others[1]?.id ?? ""], keepMs: 1e9 });
      await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "y")).id);
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: kept?.id ?? "", name: parseName("new") });
      expect(
        (await catalog.requestedFiles(0, 10)).map(
          ({ file, requests }) => `${file.key} ${requests}`,
        ),
      ).toEqual(["x/new 5"]);
    });

    test("are read in turn with other work, each file once, even if most files are deleted", async () => {
      const { catalog } = fixture();
      const files = await createUploader(catalog).add(["a", "b", "c"]);
      const DAYS = 30;
      const gone = Array.from({ length: MAX_FILES_PER_DAY - 1 }, (_, n) => n);
      for (let day = 0; day < DAYS; day += 1) {
        const deleted = gone.map((n) => counts(`${day} gone ${n}`, 1000));
        const kept = counts(files[day % 3]?.id ?? "", 1 + (day % 3));
        await addFiles(catalog, day * DAY, [...deleted, kept]);
      }
      let turns = 0;
      let isReading = true;
      const nextTurn = (): void => {
        turns += 1;
        if (isReading) setImmediate(nextTurn);
      };
      setImmediate(nextTurn);
      const found = await catalog.requestedFiles(0, 10);
      isReading = false;
      expect(found.map(({ file, requests }) => `${file.name} ${requests}`)).toEqual([
        ...["c 30", "b 20", "a 10"],
      ]);
      // After each slice of time; without them, all of it would be one turn.
      expect(turns).toBeGreaterThan(2);

      await catalog.removeFiles(
        COMMAND_EVERYWHERE,
        files.map(({ id }) => id),
      );
      expect(await catalog.requestedFiles(0, 10)).toEqual([]);
    });

    test("are kept of a limited number of files a day, by their weights", async () => {
      const { catalog } = fixture();
      const names = Array.from({ length: MAX_FILES_PER_DAY }, (_, n) => `${n}`);
      const files: FileRecord[] = [];
      for (let at = 0; at < names.length; at += 50) {
        files.push(...(await createUploader(catalog).add(names.slice(at, at + 50))));
      }
      const late = await createUploader(catalog).addOne("late");
      await addFiles(
        catalog,
        0,
        files.map(({ id }) => counts(id, 20)),
      );
      const found = async () =>
        (await catalog.requestedFiles(0, 1000)).map(
          ({ file, requests }) => `${file.name} ${requests}`,
        );
      const add = (requests: number) => addFiles(catalog, 0, [counts(late.id, requests)]);
      expect(await found()).toHaveLength(MAX_FILES_PER_DAY);
      // It weighs least, so the others lose its weight of 15.
      await add(15);
      expect(await found()).not.toContain("late 15");
      // It weighs more than the others now, though it has fewer requests.
      await add(10);
      const after = await found();
      expect(after).toHaveLength(MAX_FILES_PER_DAY);
      expect(after.at(-1)).toBe("late 10");
      // Other days are counted on their own.
      await addFiles(catalog, DAY, [counts(late.id, 1)]);
      expect(await found()).toContain("late 11");
    });

    test("of several processes at once are kept of a limited number of files", async () => {
      const { catalog } = fixture();
      const process = (number: number) =>
        addFiles(
          catalog,
          0,
          Array.from({ length: 200 }, (_, n) => counts(`${(number * 80 + n) % 500}`, n + 1)),
        );
      await Promise.all([0, 1, 2, 3, 4, 5].map(process));
      const { id } = await createUploader(catalog).addOne("file");
      await addFiles(catalog, 0, [counts(id, 1000)]);
      expect((await catalog.requestedFiles(0, 10)).map(({ requests }) => requests)).toEqual([1000]);
    });
  });
}
