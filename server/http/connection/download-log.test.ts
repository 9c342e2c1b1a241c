import { expect, test } from "bun:test";
import type { Actor } from "../../domain/activity.ts";
import { parseKey } from "../../domain/names/name.ts";
import { createDownloadLog } from "./download-log.ts";

const MINUTE = 60_000;
const secret = { id: "f1", key: parseKey("a/b.txt"), size: 3, visibility: "private" } as const;
const open = { ...secret, id: "f2", visibility: "public" } as const;

function openLog(isOn = true) {
  const actors: (string | null)[] = [];
  const subjects: (string | null | undefined)[] = [];
  const clock = { now: 0 };
  const client = { address: "192.0.2.1" };
  const log = createDownloadLog({
    isOn: () => isOn,
    activity: {
      record({ actor, address, subject }) {
        actors.push(`${actor.kind} ${address}`);
        subjects.push(subject?.id);
      },
    },
    actorOf: () => undefined,
    clientOf: () => client.address,
    now: () => clock.now,
  });
  return { log, actors, subjects, clock, client };
}

const get = (method = "GET") => new Request("http://localhost/a", { method });

test("ranges of one client and file are one download for ten minutes", () => {
  const { log, actors, clock, client } = openLog();
  for (const at of [0, 1, 9]) {
    clock.now = at * MINUTE;
    log.recordFile(3, get(), secret);
  }
  expect(actors).toEqual(["none 192.0.2.1"]);
  client.address = "192.0.2.2";
  log.recordFile(3, get(), secret);
  expect(actors).toEqual(["none 192.0.2.1", "none 192.0.2.2"]);
  client.address = "192.0.2.1";
  clock.now = 10 * MINUTE;
  log.recordFile(3, get(), secret);
  expect(actors).toHaveLength(3);
});

test("public files count through links only, and HEAD never", () => {
  const { log, actors } = openLog();
  log.recordFile(3, get(), open);
  log.recordFile(0, get("HEAD"), secret);
  log.recordZip(get("HEAD"), "a.zip");
  expect(actors).toEqual([]);
  const visitor: Actor = { kind: "link", id: "l1", name: "Photos" };
  const request = get();
  log.noteVisitor(request, visitor);
  log.recordFile(3, request, open);
  log.recordZip(request, "a.zip");
  expect(actors).toEqual(["link 192.0.2.1", "link 192.0.2.1"]);
});

test("a version has an entry with the id of its file, beside that of the file", () => {
  const { log, subjects } = openLog();
  const request = get();
  log.noteVersion(request, "f1");
  log.recordFile(3, request, { ...secret, id: "v1" });
  log.recordFile(3, get(), secret);
  expect(subjects).toEqual(["f1", "f1"]);
});

test("a redirect is a download, and 304 is none", () => {
  const { log, actors } = openLog();
  for (const name of ["If-None-Match", "If-Modified-Since"]) {
    const headers = { [name]: "anything" };
    log.recordFile(0, new Request("http://localhost/a", { headers }), secret);
  }
  expect(actors).toEqual([]);
  log.recordFile(0, get(), secret);
  expect(actors).toHaveLength(1);
});

test("nothing is recorded while the setting is off", () => {
  const { log, actors } = openLog(false);
  log.recordFile(3, get(), secret);
  log.recordZip(get(), "a.zip");
  expect(actors).toEqual([]);
});
