import { describe, expect, test } from "bun:test";
import type { ActivityRecord, NewActivity } from "../../domain/activity.ts";
import { COMMAND_EVERYWHERE, type SeenBy } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { ActivityQuery } from "../port/insight.ts";
import { type CatalogFixture, createUploader, folderAt, limitedTo } from "./catalog.fixture.ts";

const event = (at: number, more: Partial<NewActivity> = {}): NewActivity => ({
  at,
  action: "uploadFiles",
  outcome: "done",
  status: 200,
  actor: { kind: "key", id: "k1", name: "backend" },
  address: "192.0.2.1",
  subject: { kind: "file", id: "f1", name: "a/日本.txt" },
  detail: { files: 1, name: 'say "hi"', gone: null, yes: true },
  ...more,
});

const withoutId = ({ id: _, ...rest }: ActivityRecord): NewActivity => rest;

export function insightSuite(fixture: () => CatalogFixture): void {
  const list = (query: Partial<ActivityQuery> = {}) =>
    fixture().catalog.activity(COMMAND_EVERYWHERE, { limit: 1000, ...query });

  describe("activity", () => {
    test("is stored unchanged and listed newest first, also after reopening", async () => {
      const events = [
        event(1000),
        event(2000, {
          outcome: "failed",
          actor: { kind: "none", id: null, name: null },
          address: null,
          subject: null,
          detail: {},
        }),
      ];
      await fixture().catalog.addActivity(events);
      expect((await list()).map(withoutId)).toEqual(events.toReversed());
      expect(
        (await (await fixture().reopen()).activity(COMMAND_EVERYWHERE, { limit: 9 })).map(
          withoutId,
        ),
      ).toEqual(events.toReversed());
    });

    test("is found by action, actor, outcome, time, and all of them together", async () => {
      await fixture().catalog.addActivity([
        event(1000),
        event(2000, { action: "signIn" }),
        event(3000, { outcome: "failed" }),
        event(4000, { actor: { kind: "account", id: "k2", name: "ada" } }),
        event(5000, { action: "signIn", outcome: "failed" }),
      ]);
      const times = async (query: Partial<ActivityQuery>) =>
        (await list(query)).map(({ at }) => at / 1000);
      expect(await times({ action: "signIn" })).toEqual([5, 2]);
      expect(await times({ actorId: "k2" })).toEqual([4]);
      expect(await times({ outcome: "failed" })).toEqual([5, 3]);
      expect(await times({ since: 3000 })).toEqual([5, 4, 3]);
      expect(await times({ since: 3001 })).toEqual([5, 4]);
      expect(await times({ until: 3000 })).toEqual([2, 1]);
      expect(await times({ since: 0, until: 10_000, limit: 2 })).toEqual([5, 4]);
      const all = { action: "signIn", outcome: "failed", actorId: "k1", since: 5000 } as const;
      expect(await times({ ...all, until: 5001 })).toEqual([5]);
      expect(await times({ ...all, until: 5000 })).toEqual([]);
    });

    test("is found by a text of its subject, caller or address, beyond what is read at once", async () => {
      const about = (at: number, name: string) =>
        event(at, { subject: { kind: "file", id: "f", name } });
      await fixture().catalog.addActivity([
        about(1000, "photos/Éclair.txt"),
        event(2000, { actor: { kind: "account", id: "k2", name: "Ada" }, address: null }),
        event(3000, { address: "203.0.113.7", subject: null }),
        ...Array.from({ length: 1100 }, (_, index) => about(4000 + index, "50%_\\")),
      ]);
      const times = async (text: string, query: Partial<ActivityQuery> = {}) =>
        (await list({ text, ...query })).map(({ at }) => at / 1000);
      expect(await times("os/eclair")).toEqual([1]);
      expect(await times("photos/*.TXT")).toEqual([1]);
      expect(await times("éclair", { actorId: "k2" })).toEqual([]);
      expect(await times("ADA")).toEqual([2]);
      expect(await times("113.7")).toEqual([3]);
      expect(await times("backend", { until: 4000 })).toEqual([3, 1]);
      expect(await times("%_\\", { limit: 2 })).toEqual([5.099, 5.098]);
      expect(await times("nowhere")).toEqual([]);
      const gone = times("nowhere", { signal: AbortSignal.abort() });
      await expect(gone).rejects.toBeInstanceOf(ConnectionClosed);
    });

    test("is listed page by page, also within one millisecond", async () => {
      await fixture().catalog.addActivity(
        Array.from({ length: 230 }, (_, index) => event(7000, { detail: { index } })),
      );
      const seen: unknown[] = [];
      let before: string | undefined;
      for (;;) {
        const page = await list({ before, limit: 60 });
        seen.push(...page.map(({ detail }) => detail.index));
        before = page.at(-1)?.id;
        if (page.length < 60) break;
      }
      expect(seen.length).toBe(230);
      expect(new Set(seen).size).toBe(230);
    });

    test("is cut to what is inside folders now, with its current keys", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const { id: file } = await uploader.addOne("file", { folder: "a/b" });
      const { id: other } = await uploader.addOne("file", { folder: "ab" });
      const { id: gone } = await uploader.addOne("gone", { folder: "a" });
      await catalog.removeFiles(COMMAND_EVERYWHERE, [gone]);
      const [a, b] = [await folderAt(catalog, "a"), await folderAt(catalog, "a/b")];
      const about = (
        at: number,
        kind: "file" | "folder" | "key",
        id: string | null,
        name: string,
      ) => event(at, { subject: { kind, id, name } });
      await catalog.addActivity([
        about(1, "file", file, "a/b/file"),
        about(2, "file", other, "ab/file"),
        about(3, "file", gone, "a/gone"),
        about(4, "folder", b.id, "a/b"),
        about(5, "file", file, "elsewhere/file"),
        about(6, "key", "k", "a"),
        about(7, "file", null, "a/b/file"),
        event(8, { subject: null }),
        ...Array.from({ length: 600 }, (_, index) => about(9 + index, "file", other, "ab/file")),
        about(700, "file", file, "a/b/file"),
      ]);
      const times = async ({
        caller = COMMAND_EVERYWHERE,
        ...query
      }: Partial<ActivityQuery> & { caller?: SeenBy }) =>
        (await catalog.activity(caller, { limit: 10, ...query })).map(({ at }) => at);
      expect(await times({ caller: limitedTo([a.id]) })).toEqual([700, 5, 4, 1]);
      expect(await times({ caller: limitedTo([b.id, a.id]), limit: 2 })).toEqual([700, 5]);
      expect(await times({ caller: limitedTo([a.id]), until: 700 })).toEqual([5, 4, 1]);
      expect(
        await times({ caller: limitedTo([a.id, (await folderAt(catalog, "ab")).id]) }),
      ).toEqual([]);
      expect(await times({ caller: limitedTo(["gone"]) })).toEqual([]);
      expect(await times({ caller: limitedTo([a.id]), text: "b/file" })).toEqual([700, 5, 1]);
      expect(await times({ caller: limitedTo([a.id]), text: "elsewhere" })).toEqual([]);
      expect(await times({ caller: limitedTo([a.id]), text: "backend" })).toEqual([]);
      expect(await times({ limit: 1 })).toEqual([700]);
      expect(await times({ subjectId: file })).toEqual([700, 5, 1]);
      expect(await times({ subjectId: file, until: 700 })).toEqual([5, 1]);
      expect(await times({ subjectId: file, caller: limitedTo([b.id]), limit: 1 })).toEqual([700]);
      expect(await times({ subjectId: other, caller: limitedTo([a.id]) })).toEqual([]);
      expect(await times({ subjectId: "k" })).toEqual([6]);
      const [, second] = await catalog.activity(limitedTo([a.id]), { limit: 2 });
      expect(await times({ caller: limitedTo([a.id]), before: second?.id })).toEqual([4, 1]);

      const names = async () =>
        (await catalog.activity(limitedTo([a.id]), { limit: 10 })).map(
          ({ subject }) => subject?.name,
        );
      expect(await names()).toEqual(["a/b/file", "a/b/file", "a/b", "a/b/file"]);
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, name: parseName("c") });
      expect(await names()).toEqual(["a/c/file", "a/c/file", "a/c", "a/c/file"]);
    });

    test("is removed oldest first, a limited number at a time", async () => {
      await fixture().catalog.addActivity([1, 2, 3, 4, 5].map((at) => event(at * 1000)));
      expect(await fixture().catalog.removeActivity(4000, 2)).toBe(2);
      expect((await list()).map(({ at }) => at)).toEqual([5000, 4000, 3000]);
      expect(await fixture().catalog.removeActivity(4000, 2)).toBe(1);
      expect(await fixture().catalog.removeActivity(4000, 2)).toBe(0);
      expect((await list()).map(({ at }) => at)).toEqual([5000, 4000]);
    });
  });

  test("files and folders are counted by media type, in parts", async () => {
    const { catalog } = fixture();
    const uploader = createUploader(catalog);
    await uploader.add(["a", "b", "c"], { folder: "x/y", size: 10 });
    await uploader.add(["d", "e"], { folder: "x", size: 2 ** 40, mimeType: "video/mp4" });
    for (const limit of [1, 2, 5, 100]) {
      const sums: Record<string, [number, number]> = {};
      for (let after: string | null = ""; after !== null; ) {
        const part: Awaited<ReturnType<typeof catalog.countFiles>> = await catalog.countFiles(
          after,
          limit,
        );
        for (const { mimeType, files, bytes } of part.types) {
          const [count = 0, size = 0] = sums[mimeType] ?? [];
          sums[mimeType] = [count + files, size + bytes];
        }
        after = part.last;
      }
      expect(sums).toEqual({ "text/plain": [3, 30], "video/mp4": [2, 2 ** 41] });
      let folders = 0;
      for (let after: string | null = ""; after !== null; ) {
        const part: Awaited<ReturnType<typeof catalog.countFolders>> = await catalog.countFolders(
          after,
          limit,
        );
        folders += part.count;
        after = part.last;
      }
      expect(folders).toBe(3);
    }
  });

  test("files and folders below a folder are counted by media type, within limits", async () => {
    const { catalog } = fixture();
    const uploader = createUploader(catalog);
    await uploader.add(["a", "b", "c"], { folder: "x/y", size: 10 });
    await uploader.add(["d"], { folder: "x", size: 2 ** 40, mimeType: "video/mp4" });
    await uploader.add(["e"], { folder: "xy", size: 7 });
    await uploader.add(["f"], { folder: "x0", size: 7 });
    const text = { mimeType: "text/plain", files: 3, bytes: 30 };
    const inX = { types: [text, { mimeType: "video/mp4", files: 1, bytes: 2 ** 40 }], folders: 1 };
    const count = async (below: string, caller: SeenBy) => {
      const { types, folders } = await catalog.countWithin(caller, parseKey(below));
      return { types: types.toSorted((one, two) => (one.files < two.files ? 1 : -1)), folders };
    };
    const { id: x } = await folderAt(catalog, "x");
    const { id: y } = await folderAt(catalog, "x/y");
    expect(await count("x", COMMAND_EVERYWHERE)).toEqual(inX);
    expect(await count("x", limitedTo([x]))).toEqual(inX);
    expect(await count("", limitedTo([x, y]))).toEqual({ types: [text], folders: 1 });
    expect(await count("x", limitedTo(["gone"]))).toEqual({ types: [], folders: 0 });
  });
}
