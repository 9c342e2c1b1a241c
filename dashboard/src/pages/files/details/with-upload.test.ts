import { expect, test } from "bun:test";
import type { ActivityObject } from "../../../../../sdk/src/holdall.ts";
import { withUpload } from "./with-upload.ts";

const event = (id: string, of: Partial<ActivityObject>): ActivityObject => ({
  id,
  at: "2026-01-31 09:30:00",
  action: "uploadFiles",
  outcome: "done",
  status: 200,
  actor: { kind: "none", id: null, name: null },
  address: null,
  subject: null,
  detail: { files: 4 },
  ...of,
});
const to = (key: string) => ({ subject: { kind: "folder", id: null, key, name: null } }) as const;
const subject = { id: "f", key: "media/film/demo.mp4", createdAt: "2026-01-31 09:30:00" };
const ids = (own: ActivityObject[], uploads: ActivityObject[]) =>
  withUpload(own, uploads, subject).map(({ id }) => id);

test("adds the upload of several files that a file came with", () => {
  const uploads = [
    event("4", { ...to("media"), at: "2026-01-31 09:30:08" }),
    event("3", to("media")),
    event("2", to("med")),
    event("1", to("elsewhere")),
  ];
  expect(ids([], uploads)).toEqual(["3"]);
  expect(ids([event("9", { action: "changeFile" })], uploads)).toEqual(["9", "3"]);
  expect(ids([], [event("1", to(""))])).toEqual(["1"]);
});

test("adds none to a file that was uploaded alone", () => {
  for (const action of ["uploadFiles", "putContent"] as const) {
    expect(ids([event("9", { action })], [event("3", to("media"))])).toEqual(["9"]);
  }
});
