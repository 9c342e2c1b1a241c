import { describe, expect, test } from "bun:test";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { groupEvents, mergeEvents } from "./group-events.ts";
import { sentenceOf, toPlainText } from "./sentence.ts";

const ME = "account-1";
const inbox = { origin: "Inbox" };
const toPhotos = { folderId: "d", destination: "Photos" };
const file = (key: string) => ({ kind: "file", id: key, key, name: null }) as const;
const folder = (key: string) => ({ kind: "folder", id: key, key, name: null }) as const;

interface Given extends Omit<Partial<ActivityObject>, "at"> {
  /** Seconds after noon. */
  readonly at?: number;
}

const event = ({ at = 0, ...of }: Given): ActivityObject => ({
  id: String(at),
  at: new Date(new Date(2026, 2, 10, 12).getTime() + at * 1_000).toISOString(),
  action: "changeFile",
  outcome: "done",
  status: 200,
  actor: { kind: "account", id: ME, name: "ada@example.com" },
  address: "203.0.113.7",
  subject: file("Inbox/a.txt"),
  detail: {},
  ...of,
});

/** The lines of these events, newest first. */
const lines = (...given: Given[]): string[] =>
  groupEvents(given.map(event)).map((group) => toPlainText(sentenceOf(mergeEvents(group), ME)));

const move = (at: number, files: number, of: Given = {}): Given => ({
  at,
  detail: { files, ...toPhotos, ...inbox },
  ...of,
});

describe("one line for", () => {
  const acts: [string, ...Given[]][] = [
    ["You moved 3,000 files from Inbox to Photos", move(9, 1_000), move(6, 1_000), move(3, 1_000)],
    [
      "You moved 3 files from Inbox to Photos",
      ...["a", "b", "c"].map((name) => ({
        subject: file(`Inbox/${name}.txt`),
        detail: toPhotos,
      })),
    ],
    [
      "You moved 1,001 files and 1 folder from Inbox to Photos",
      {
        action: "changeFolder",
        subject: folder("Inbox/old"),
        detail: { parentId: "d", destination: "Photos" },
      },
      move(1, 1),
      move(0, 1_000),
    ],
    [
      "You moved 3 files from Inbox to Photos, but could not move 2,997 others",
      move(2, 1, { detail: { files: 1, failed: 999, ...toPhotos, ...inbox } }),
      move(1, 2, { detail: { files: 2, failed: 998, ...toPhotos, ...inbox } }),
      move(0, 0, { detail: { files: 0, failed: 1_000, ...toPhotos, ...inbox } }),
    ],
    [
      "You made 1,500 files private",
      { at: 2, detail: { files: 500, visibility: "private" } },
      { at: 1, detail: { files: 1_000, visibility: "private" } },
    ],
    [
      "You made 2 files and 1 folder and everything in them public",
      {
        action: "changeFolder",
        subject: folder("x"),
        detail: { visibility: "public" },
      },
      { detail: { files: 2, visibility: "public" } },
    ],
    [
      "You moved 2,500 files to the trash, including b.txt",
      {
        at: 2,
        action: "deleteFiles",
        subject: file("b.txt"),
        detail: { files: 500, trash: true },
      },
      { at: 1, action: "deleteFiles", detail: { files: 2_000, trash: true } },
    ],
    [
      "You deleted 3 folders and everything in them",
      ...["a", "b", "c"].map(
        (key): Given => ({ action: "deleteFolder", subject: folder(key), detail: {} }),
      ),
    ],
    [
      "You restored 1,200 items from the trash, including a.txt",
      { at: 4, action: "restoreTrash", detail: { items: 1_000 } },
      { at: 2, action: "restoreTrash", subject: file("b.txt"), detail: { items: 200 } },
    ],
    [
      "You deleted 1,200 items permanently",
      { at: 4, action: "emptyTrash", subject: null, detail: { items: 1_000 } },
      { at: 2, action: "emptyTrash", subject: null, detail: { items: 200 } },
    ],
    [
      "You uploaded 4 files to Inbox",
      { action: "uploadFiles", detail: { files: 1, bytes: 5 } },
      { action: "uploadFiles", subject: folder("Inbox"), detail: { files: 3, bytes: 7 } },
    ],
    [
      "You stored 3 files in Inbox",
      ...["a", "b", "c"].map(
        (name): Given => ({
          action: "putContent",
          subject: file(`Inbox/${name}.txt`),
          detail: { bytes: 5 },
        }),
      ),
    ],
    [
      "You could not move 3,000 files to Photos",
      ...[1_000, 2_000].map(
        (files): Given => ({
          outcome: "failed",
          status: 507,
          detail: { files, ...toPhotos, message: "There is no space." },
        }),
      ),
    ],
  ];
  for (const [line, ...events] of acts) {
    test(line, () => {
      expect(lines(...events)).toEqual([line]);
    });
  }
});

describe("several lines for", () => {
  const others: [string, Given, Given][] = [
    ["two callers", move(1, 9), move(0, 9, { actor: { kind: "key", id: "k", name: "ci" } })],
    ["two addresses", move(1, 9), move(0, 9, { address: null })],
    ["what was refused and what was done", move(1, 9, { outcome: "failed" }), move(0, 9)],
    ["two origins", move(1, 9), move(0, 9, { detail: { files: 9, ...toPhotos } })],
    [
      "two visibilities",
      { detail: { visibility: "public" } },
      { detail: { visibility: "private" } },
    ],
    ["two times", move(200, 9), move(0, 9)],
    ["two files", move(1, 1), move(0, 1)],
    ["new names", { detail: { name: "b.txt" } }, { detail: { name: "b.txt" } }],
    [
      "the trash and a permanent deletion",
      { action: "deleteFiles", detail: { files: 9, trash: true } },
      { action: "deleteFiles", detail: { files: 9 } },
    ],
  ];
  for (const [what, later, earlier] of others) {
    test(what, () => {
      expect(lines(later, earlier)).toHaveLength(2);
    });
  }

  test("two files, one of them twice", () => {
    const upload = (at: number, key: string): Given => ({
      at,
      action: "uploadFiles",
      subject: file(key),
      detail: { files: 1 },
    });
    expect(lines(upload(2, "a"), upload(1, "b"), upload(0, "a"))).toEqual([
      "You uploaded a to Files",
      "You uploaded b to Files",
      "You uploaded a to Files",
    ]);
  });

  test("an act with another one in between", () => {
    const back: Given = { at: 5, detail: { files: 9, folderId: "i", destination: "Inbox" } };
    expect(lines(move(9, 9), back, move(1, 9))).toHaveLength(3);
  });
});

test("the line has the latest time, and the sum of the bytes", () => {
  const upload = (at: number, bytes: number): Given => ({
    at,
    action: "uploadFiles",
    subject: file(`Inbox/${at}.txt`),
    detail: { files: 1, bytes },
  });
  const [group] = groupEvents([upload(9, 5), upload(5, 6), upload(1, 7)].map(event));
  if (group === undefined) throw new Error("There is no group.");
  const merged = mergeEvents(group);
  expect([merged.id, merged.at]).toEqual([group[0].id, group[0].at]);
  expect(merged.detail).toEqual({ files: 3, folders: 0, bytes: 18 });
});

test("repeats about one file are one line with their number", () => {
  const repeat = (at: number, of: Given): Given => ({ at, ...of });
  for (const [line, of] of [
    ["You uploaded a.txt to Inbox", { action: "uploadFiles", detail: { files: 1, bytes: 5 } }],
    ["You deleted a.txt", { action: "deleteFiles", detail: { files: 1 } }],
    ["You made a.txt private", { detail: { files: 1, visibility: "private" } }],
  ] satisfies [string, Given][]) {
    const [group, ...others] = groupEvents([3, 2, 1].map((at) => event(repeat(at, of))));
    if (group === undefined) throw new Error("There is no group.");
    expect(others).toEqual([]);
    const merged = mergeEvents(group);
    expect(toPlainText(sentenceOf(merged, ME))).toBe(line);
    expect(merged.detail).toEqual({ ...of.detail, times: 3 });
  }
});

test("counts a file once that a group is about twice", () => {
  const keys = ["a", "b", "c", "a"];
  const uploads = keys.map((key, at): Given => ({ at, action: "uploadFiles", subject: file(key) }));
  expect(lines(...uploads.toReversed())).toEqual(["You uploaded 3 files to Files"]);
});

describe("a group has at most", () => {
  const sizes = (seconds: number, count: number): number[] => {
    const moves = Array.from({ length: count }, (_, at) => event(move(at * seconds, 9)));
    return groupEvents(moves.toReversed()).map((group) => group.length);
  };

  test("500 events; the earlier groups are full", () => {
    expect(sizes(1, 500)).toEqual([500]);
    expect(sizes(1, 1_100)).toEqual([100, 500, 500]);
  });

  test("ten minutes", () => {
    expect(sizes(60, 11)).toEqual([11]);
    expect(sizes(60, 25)).toEqual([3, 11, 11]);
  });
});
