import { expect, test } from "bun:test";
import { eventually } from "../test/expectations.ts";
import { dropFiles } from "./drag-files.ts";
import { row } from "./row.ts";
import { startUploadFixture } from "./upload-fixture.ts";
import { reload } from "./upload-panel.ts";

const { fixture, local } = await startUploadFixture({ KEEP_VERSIONS: "true" });

/** Uploads a file several times, each time with other content. */
async function store(key: string, contents: readonly string[]): Promise<void> {
  const slash = key.lastIndexOf("/");
  const [folder, name] = [key.slice(0, slash), key.slice(slash + 1)];
  for (const content of contents) {
    await fixture.seed.holdall.files.upload(new Blob([content]), {
      folder,
      name,
      onConflict: "replace",
    });
  }
}

async function showDetails(folder: string, name: string) {
  const visit = await fixture.signedIn({ reducedMotion: true });
  const { page } = visit;
  await page.goto(`/files/${folder}`);
  await page.getByRole("grid").getByText(name).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Details" }).click();
  await page.getByRole("heading", { name: "Earlier versions" }).waitFor();
  const versions = page.getByRole("list", { name: "Earlier versions" }).getByRole("listitem");
  return { ...visit, versions };
}

test("versions of a file are previewed, restored and deleted", async () => {
  await store("drafts/letter.txt", ["first", "the second", "the third one"]);
  const { page, versions, consoleErrors } = await showDetails("drafts", "letter.txt");
  await versions.first().getByText("10 B", { exact: true }).waitFor();
  await versions.last().getByText("5 B", { exact: true }).waitFor();
  expect(await versions.count()).toBe(2);

  await versions
    .first()
    .getByRole("button", { name: /^Preview the version/ })
    .click();
  await page.getByText("the second", { exact: true }).waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download (10 B)" }).click();
  expect(await Bun.file((await (await saved).path()) ?? "").text()).toBe("the second");
  await page.keyboard.press("Escape");
  await page.getByText("the second", { exact: true }).waitFor({ state: "detached" });

  await versions
    .last()
    .getByRole("button", { name: /^Restore the version/ })
    .click();
  await page.getByText("Restored the version.").first().waitFor();
  await versions.first().getByText("13 B", { exact: true }).waitFor();
  await page.locator("dl").getByText("5 B", { exact: true }).waitFor();
  const { files } = fixture.seed.holdall;
  const { id } = await files.getByKey("drafts/letter.txt");
  expect(await (await files.download(id)).response.text()).toBe("first");

  await versions
    .first()
    .getByRole("button", { name: /^Delete the version/ })
    .click();
  await page.getByText("The file itself stays.").waitFor();
  await page.getByRole("button", { name: "Delete permanently", exact: true }).click();
  await page.getByText("Deleted the version permanently.").first().waitFor();
  const { versions: left } = await files.versions(id);
  await page.waitForFunction(
    (count) =>
      document.querySelectorAll('ul[aria-label^="Earlier versions"] > li').length === count,
    left.length,
  );
  expect(consoleErrors).toEqual([]);
});

test("a file without versions says so", async () => {
  await store("drafts/new.txt", ["only"]);
  const { page } = await showDetails("drafts", "new.txt");
  await page.getByText("None. Replaced content stays here for 30 days.").waitFor();
});

test("many versions are shown page by page", async () => {
  await store(
    "drafts/many.txt",
    Array.from({ length: 53 }, (_, size) => "x".repeat(size + 1)),
  );
  const { page, versions, consoleErrors } = await showDetails("drafts", "many.txt");
  await versions.first().getByText("52 B", { exact: true }).waitFor();
  expect(await versions.count()).toBe(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await versions.last().getByText("1 B", { exact: true }).waitFor();
  expect(await versions.count()).toBe(52);
  expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  expect(consoleErrors).toEqual([]);
});

test("a replacing upload says that the content is kept, and can be undone", async () => {
  await store("redone/a.txt", ["the old content"]);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/redone");
  await row(page, "a.txt").waitFor();
  const panel = page.getByRole("region", { name: "Uploads" });
  const content = async () => {
    const { files } = fixture.seed.holdall;
    const { id } = await files.getByKey("redone/a.txt");
    return (await files.download(id)).response.text();
  };
  await dropFiles(page, [local.file("a.txt", "the new content")]);
  await panel.getByText("Replaced content is kept as an earlier version for 30 days.").waitFor();
  await panel.getByRole("button", { name: "Replace" }).click();
  await panel.getByText("1 uploaded").first().waitFor();
  expect(await content()).toBe("the new content");
  // A second undo would exchange the contents once more.
  await panel.getByRole("button", { name: "Undo replacing a.txt" }).dblclick();
  await page.getByText("“a.txt” has its earlier content again.").first().waitFor();
  await panel.getByRole("button", { name: "Open a.txt" }).waitFor();
  expect(await panel.getByRole("button", { name: "Undo replacing a.txt" }).count()).toBe(0);
  expect(await content()).toBe("the old content");
  const { versions } = await fixture.seed.holdall.files.versions({ key: "redone/a.txt" });
  expect(versions.map(({ size }) => size)).toEqual(["the new content".length]);
});

test("a folder whose upload replaced files gives them their earlier content back with Undo", async () => {
  const { files, folders } = fixture.seed.holdall;
  await store("albums/album/a.txt", ["old a"]);
  await store("albums/album/deep/b.txt", ["old b"]);
  await store("albums/album/deep/c.txt", ["old c"]);
  await store("albums/album/beside.txt", ["beside"]);
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/albums");
  await row(page, "album").waitFor();
  const panel = page.getByRole("region", { name: "Uploads" });
  const content = async (key: string) => {
    const { id } = await files.getByKey(`albums/album/${key}`);
    return (await files.download(id)).response.text();
  };
  for (const path of ["a.txt", "deep/b.txt", "deep/c.txt", "new.txt"]) {
    local.file(`album/${path}`, `new ${path}`);
  }
  await dropFiles(page, [local.folder("album")]);
  await panel.getByRole("button", { name: "Replace" }).click();
  await panel.getByText("4 uploaded").first().waitFor();
  expect(await content("deep/b.txt")).toBe("new deep/b.txt");
  // Times are whole seconds.
  const { updatedAt } = await files.getByKey("albums/album/deep/c.txt");
  await eventually("one of the files is replaced in a later second", async () => {
    const options = { folder: "albums/album/deep", name: "c.txt", onConflict: "replace" } as const;
    return (await files.upload(new Blob(["newer c"]), options)).updatedAt > updatedAt;
  });

  await panel.getByRole("button", { name: "Undo replacing files of album" }).dblclick();
  await page.getByText("2 files have their earlier content again.").first().waitFor();
  await page.getByText("“c.txt” has changed since.").first().waitFor();
  const now = ["a.txt", "deep/b.txt", "deep/c.txt", "new.txt", "beside.txt"].map(content);
  expect(await Promise.all(now)).toEqual(["old a", "old b", "newer c", "new new.txt", "beside"]);
  expect((await folders.browse({ key: "albums/album" })).files).toHaveLength(3);
  expect((await files.versions({ key: "albums/album/a.txt" })).versions).toHaveLength(1);
  expect(consoleErrors).toEqual([]);
});

test("files that the upload of a folder added may be deleted or replaced before its Undo", async () => {
  const { files } = fixture.seed.holdall;
  const folder = "mixed/scans";
  await store(`${folder}/z.txt`, ["old z"]);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/mixed");
  await row(page, "scans").waitFor();
  const panel = page.getByRole("region", { name: "Uploads" });
  for (const name of ["added.txt", "deleted.txt", "replaced.txt", "z.txt"]) {
    local.file(`scans/${name}`, `new ${name}`);
  }
  await dropFiles(page, [local.folder("scans")]);
  await panel.getByRole("button", { name: "Replace" }).click();
  await panel.getByText("4 uploaded").first().waitFor();
  await files.delete((await files.getByKey(`${folder}/deleted.txt`)).id);
  const { updatedAt } = await files.getByKey(`${folder}/replaced.txt`);
  // Times are whole seconds.
  await eventually("an added file is replaced in a later second", async () => {
    const options = { folder, name: "replaced.txt", onConflict: "replace" } as const;
    const { id } = await files.getByKey(`${folder}/replaced.txt`);
    const stored = await files.upload(new Blob(["newer"]), options);
    if (stored.updatedAt > updatedAt) return true;
    // Its version would look like one that the upload of the folder replaced.
    await files.deleteVersions((await files.versions(id)).versions.map((version) => version.id));
    return false;
  });

  await panel.getByRole("button", { name: "Undo replacing files of scans" }).click();
  await page.getByText("1 file has its earlier content again.").first().waitFor();
  for (const text of ["has changed since", "was not found"]) {
    expect(await page.getByText(text).count()).toBe(0);
  }
  const { id } = await files.getByKey(`${folder}/z.txt`);
  expect(await (await files.download(id)).response.text()).toBe("old z");
  const { versions } = await files.versions({ key: `${folder}/replaced.txt` });
  expect(versions).toHaveLength(1);
});

test("a folder whose upload replaced nothing offers no Undo", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await store("plain/some.txt", ["some"]);
  await page.goto("/files/plain");
  await row(page, "some.txt").waitFor();
  const panel = page.getByRole("region", { name: "Uploads" });
  local.file("fresh/one.txt", "one");
  await dropFiles(page, [local.folder("fresh")]);
  await panel.getByRole("button", { name: "Open fresh" }).waitFor();
  expect(await panel.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
});

test.each([
  ["small", 20_000],
  ["large", 9_000_000],
])(
  "a %s replacing upload is not undone if its content was stored again since",
  async (kind, size) => {
    const name = `${kind}.bin`;
    const { files } = fixture.seed.holdall;
    await store(`since/${name}`, ["the old content"]);
    const { page } = await fixture.signedIn({ reducedMotion: true });
    await page.goto("/files/since");
    await row(page, name).waitFor();
    const panel = page.getByRole("region", { name: "Uploads" });
    const content = "x".repeat(size);
    await dropFiles(page, [local.file(name, content)]);
    await panel.getByRole("button", { name: "Replace" }).click();
    await panel.getByText("1 uploaded").first().waitFor();
    const { updatedAt } = await files.getByKey(`since/${name}`);
    // Times are whole seconds.
    await eventually("the content is stored again in a later second", async () => {
      const options = { folder: "since", name, onConflict: "replace" } as const;
      return (await files.upload(new Blob([content]), options)).updatedAt > updatedAt;
    });
    const before = await files.versions({ key: `since/${name}` });
    await panel.getByRole("button", { name: `Undo replacing ${name}` }).click();
    await page.getByText(`“${name}” has changed since.`).first().waitFor();
    expect(await files.versions({ key: `since/${name}` })).toEqual(before);
  },
);

test("a replacing upload of a large file can be undone, also after its visibility was changed", async () => {
  await store("redone-large/b.bin", ["the old content"]);
  const { files } = fixture.seed.holdall;
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/redone-large");
  await row(page, "b.bin").waitFor();
  const panel = page.getByRole("region", { name: "Uploads" });
  await dropFiles(page, [local.sparse("b.bin", 9_000_000)]);
  await panel.getByRole("button", { name: "Replace" }).click();
  await panel.getByText("1 uploaded").first().waitFor();
  const { id } = await files.getByKey("redone-large/b.bin");
  await files.setVisibility(id, "private");
  await panel.getByRole("button", { name: "Undo replacing b.bin" }).click();
  await page.getByText("“b.bin” has its earlier content again.").first().waitFor();
  expect(await (await files.download(id)).response.text()).toBe("the old content");
});

test("a replacing upload whose response was lost with its page offers no undo", async () => {
  await store("lost/c.bin", ["the old content"]);
  const { files } = fixture.seed.holdall;
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/lost");
  await row(page, "c.bin").waitFor();
  const panel = page.getByRole("region", { name: "Uploads" });
  await page.route("**/api/uploads/*", async (route) => {
    const isLast = Number(route.request().headers()["upload-offset"]) > 0;
    if (isLast) await route.fetch().catch(() => undefined);
    else await route.fallback();
  });
  await dropFiles(page, [local.sparse("c.bin", 9_000_000)]);
  await panel.getByRole("button", { name: "Replace" }).click();
  await eventually("the file is replaced", async () => {
    return (await files.getByKey("lost/c.bin")).size === 9_000_000;
  });
  await reload(page);
  await panel.getByRole("button", { name: "Open c.bin" }).waitFor();
  expect(await panel.getByRole("button", { name: "Undo replacing c.bin" }).count()).toBe(0);
});
