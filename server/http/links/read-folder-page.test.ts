import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectFault } from "../../catalog/suite/catalog.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, ROOT_KEY } from "../../domain/names/name.ts";
import { type LinksFixture, openLinksFixture } from "../../links/links.fixture.ts";
import { writeCursor } from "../api/handlers/cursor.ts";
import { readFolderPart } from "./read-folder-page.ts";

let fixture: LinksFixture;
beforeAll(async () => {
  fixture = await openLinksFixture();
});
afterAll(() => fixture.end());

test("further folders follow the last one that was shown, also when one before it is deleted", async () => {
  const { catalog } = fixture;
  const names = Array.from({ length: 1010 }, (_, at) => `f${String(at).padStart(4, "0")}`);
  await Promise.all(
    names.map((name) => catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`many/${name}`))),
  );
  await fixture.put("many/file.txt", "content");
  const { token } = await fixture.share("many");
  const { content } = await fixture.open(token);
  if (content?.kind !== "folder") throw new Error("Not the link of a folder.");
  const read = async (more: Readonly<Record<string, string>> = {}) =>
    readFolderPart(
      await content.service.folder(ROOT_KEY),
      ROOT_KEY,
      new URLSearchParams({ ...more }),
    );
  const shown: string[] = [];
  let part = await read();
  shown.push(...part.folders.map(({ name }) => name));
  expect(part.files).toEqual([]);
  await catalog.removeFolder(COMMAND_EVERYWHERE, (await fixture.subjectAt("many/f0003")).id);
  while (part.more !== undefined) {
    part = await read(part.more);
    shown.push(...part.folders.map(({ name }) => name));
  }
  expect(shown).toEqual(names);
  expect(part.files.map(({ name }) => `${name}`)).toEqual(["file.txt"]);
  for (const folders of ["500", "x"]) await expectFault(read({ folders }), "invalid");
});

test("a position in the order of an earlier version is refused, not taken for another", async () => {
  await fixture.catalog.createFolder(COMMAND_EVERYWHERE, parseKey("few"));
  await fixture.put("few/a.txt", "content");
  const { token } = await fixture.share("few");
  const { content } = await fixture.open(token);
  if (content?.kind !== "folder") throw new Error("Not the link of a folder.");
  const view = await content.service.folder(ROOT_KEY);
  const { id } = await fixture.subjectAt("few/a.txt");
  const after = writeCursor(`shared ${view.folder.id}`, ["a.txt", id]);
  await expectFault(readFolderPart(view, ROOT_KEY, new URLSearchParams({ after })), "invalid");
});
