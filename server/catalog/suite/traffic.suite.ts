import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/caller.ts";
import { parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { MAX_FILES_PER_DAY } from "../port/insight.ts";
import { type CatalogFixture, createUploader, folderAt } from "./catalog.fixture.ts";

const HOUR = 3_600_000;

export function trafficSuite(fixture: () => CatalogFixture): void {
  test("traffic adds up by the hour", async () => {
    const { catalog } = fixture();
    const hour = (number: number, requests: number) => ({
      hour: number * HOUR,
      requests,
      bytes: requests * 1000,
      errors: 1,
      errorsByStatus: [{ status: 404, requests: 1 }],
    });
    await catalog.addTraffic([]);
    await Promise.all([
      catalog.addTraffic([hour(3, 10), hour(1, 5)]),
      catalog.addTraffic([hour(3, 7), hour(2, 2 ** 40)]),
    ]);
    const three = {
      hour: 3 * HOUR,
      requests: 17,
      bytes: 17_000,
      errors: 2,
      errorsByStatus: [{ status: 404, requests: 2 }],
    };
    expect(await catalog.traffic(0)).toEqual([hour(1, 5), hour(2, 2 ** 40), three]);
    expect(await catalog.traffic(2 * HOUR + 1)).toEqual([three]);
    await catalog.removeTraffic(2 * HOUR);
    expect(await catalog.traffic(0)).toEqual([hour(2, 2 ** 40), three]);
    await catalog.removeTraffic(2 * HOUR + 1);
    // No status is left of the hours that were removed.
    await catalog.addTraffic([{ ...hour(2, 1), errors: 0, errorsByStatus: [] }]);
    expect((await catalog.traffic(0)).map((each) => each.errorsByStatus)).toEqual([
      [],
      three.errorsByStatus,
    ]);
  });

  test("errors are counted by status, in the order of the statuses", async () => {
    const { catalog } = fixture();
    const counts = (...errorsByStatus: [number, number][]) => ({
      hour: HOUR,
      requests: 1,
      bytes: 0,
      errors: 1,
      errorsByStatus: errorsByStatus.map(([status, requests]) => ({ status, requests })),
    });
    await Promise.all([
      catalog.addTraffic([counts([503, 1], [404, 2 ** 40], [416, 3])]),
      catalog.addTraffic([counts([404, 1], [401, 7])]),
    ]);
    const [found] = await catalog.traffic(0);
    expect(found?.errorsByStatus).toEqual(
      counts([401, 7], [404, 2 ** 40 + 1], [416, 3], [503, 1]).errorsByStatus,
    );
  });

  test("traffic of keys adds up by the day, and old days are removed", async () => {
    const { catalog } = fixture();
    const DAY = 24 * HOUR;
    const of = (keyId: string, day: number, requests: number) => ({
      keyId,
      day: day * DAY,
      requests,
      bytes: requests * 2 ** 40,
      errors: 1,
    });
    await catalog.addKeyTraffic([]);
    await Promise.all([
      catalog.addKeyTraffic([of("b", 3, 10), of("a", 1, 5)]),
      catalog.addKeyTraffic([of("a", 3, 7), of("b", 3, 1), of("a", 2, 1)]),
      catalog.addKeyTraffic(Array.from({ length: 300 }, (_, n) => of(`many ${n}`, 1, 1))),
    ]);
    const totals = async (since: number) =>
      (await catalog.keyTraffic(since))
        .filter(({ keyId }) => keyId.length === 1)
        .map(({ keyId, requests, bytes, errors }) => [keyId, requests, bytes / 2 ** 40, errors])
        .sort();
    expect(await catalog.keyTraffic(0)).toHaveLength(302);
    expect(await totals(0)).toEqual([
      ["a", 13, 13, 3],
      ["b", 11, 11, 2],
    ]);
    await catalog.removeKeyTraffic(2 * DAY + HOUR);
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
    const counts = (fileId: string, requests: number, weight = requests) => ({
      fileId,
      requests,
      bytes: requests * 2 ** 30,
      weight,
    });

    test("add up over days, most requests first, and old days are removed", async () => {
      const { catalog } = fixture();
      const [a, b, c] = await createUploader(catalog).add(["a", "b", "c"], { folder: "x" });
      if (!a || !b || !c) throw new Error("addFiles returned too few records.");
      await catalog.addFileTraffic(DAY, []);
      await Promise.all([
        catalog.addFileTraffic(DAY, [counts(a.id, 100)]),
        catalog.addFileTraffic(3 * DAY, [counts(b.id, 5), counts(a.id, 1), counts(c.id, 2)]),
        catalog.addFileTraffic(3 * DAY, [counts(c.id, 1), counts(b.id, 2)]),
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
      await catalog.removeFileTraffic(2 * DAY + HOUR);
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
      await catalog.addFileTraffic(0, [...unknown, ...known]);
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
        await catalog.addFileTraffic(day * DAY, [...deleted, kept]);
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
      await catalog.addFileTraffic(
        0,
        files.map(({ id }) => counts(id, 20)),
      );
      const found = async () =>
        (await catalog.requestedFiles(0, 1000)).map(
          ({ file, requests }) => `${file.name} ${requests}`,
        );
      const add = (requests: number) => catalog.addFileTraffic(0, [counts(late.id, requests)]);
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
      await catalog.addFileTraffic(DAY, [counts(late.id, 1)]);
      expect(await found()).toContain("late 11");
    });

    test("of several processes at once are kept of a limited number of files", async () => {
      const { catalog } = fixture();
      const process = (number: number) =>
        catalog.addFileTraffic(
          0,
          Array.from({ length: 200 }, (_, n) => counts(`${(number * 80 + n) % 500}`, n + 1)),
        );
      await Promise.all([0, 1, 2, 3, 4, 5].map(process));
      const { id } = await createUploader(catalog).addOne("file");
      await catalog.addFileTraffic(0, [counts(id, 1000)]);
      expect((await catalog.requestedFiles(0, 10)).map(({ requests }) => requests)).toEqual([1000]);
    });
  });
}
