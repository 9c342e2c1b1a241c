import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { startUploadFixture } from "./upload-fixture.ts";
import { choose, openFolder, panel, waitForText } from "./upload-panel.ts";

const { fixture, local } = await startUploadFixture();
const { holdall } = fixture.seed;

const upload = (page: Page, item: "Files…" | "Folder…", paths: string | string[]) =>
  choose(
    page,
    async () => {
      await page.getByRole("button", { name: "Upload", exact: true }).first().click();
      await page.getByRole("menuitem", { name: item }).click();
    },
    paths,
  );
const choice = (page: Page, name: string) => panel(page).getByRole("radio", { name });
const visibilityOf = async (key: string) => (await holdall.files.getByKey(key)).visibility;

const waitForVisibility = (key: string, wanted: string): Promise<void> =>
  eventually(`${key} is ${wanted}`, async () => (await visibilityOf(key)) === wanted);

test("the panel says that uploads are public, and makes them private with one click", async () => {
  const { page } = await openFolder(fixture, "salaries", [404]);
  await upload(page, "Files…", [local.file("first/2027.csv")]);
  await waitForText(page, "1 uploaded");
  expect(await choice(page, "Public").isChecked()).toBe(true);
  expect(await visibilityOf("salaries/2027.csv")).toBe("public");
  await choice(page, "Private").check();
  await waitForVisibility("salaries/2027.csv", "private");

  local.file("years/2025.csv");
  local.file("years/old/2024.csv");
  await upload(page, "Folder…", local.folder("years"));
  await waitForText(page, "3 uploaded");
  expect(await visibilityOf("salaries/years/2025.csv")).toBe("private");
  expect(await visibilityOf("salaries/years/old/2024.csv")).toBe("private");
  await choice(page, "Public").check();
  for (const name of ["2027.csv", "years/2025.csv", "years/old/2024.csv"]) {
    await waitForVisibility(`salaries/${name}`, "public");
  }
});

test("the panel starts with what the folder says", async () => {
  const folder = await holdall.folders.create("vault");
  await holdall.folders.update(folder.id, { defaultVisibility: "private" });
  const { page } = await openFolder(fixture, "vault/inner", [404]);
  await upload(page, "Files…", [local.file("third/key.txt")]);
  await waitForText(page, "1 uploaded");
  expect(await choice(page, "Private").isChecked()).toBe(true);
  expect(await visibilityOf("vault/inner/key.txt")).toBe("private");
});
