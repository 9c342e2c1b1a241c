import type { Page } from "playwright-core";
import type { PageState } from "./page-state.ts";
import {
  choose,
  chooseForSelection,
  failWith500,
  openMenu,
  openPreview,
  PREVIEW,
  paste,
  press,
  select,
  sequence,
} from "./steps.ts";

const DIALOG = "dialog[open]";

const DETAILS = ":is(aside, dialog)[aria-label=Details]";

/** The panel would stay open in the next state. */
const forgetDetails = (page: Page) =>
  page.evaluate(() => localStorage.removeItem("holdall-details"));

const showDetails = sequence(press("Details"), forgetDetails);

/** Answers deletions as if the file were in the trash, so that later states find it. */
const fakeDeletion = (page: Page) =>
  page.route("**/api/files", async (route) => {
    if (route.request().method() !== "DELETE") return route.continue();
    const { ids } = route.request().postDataJSON();
    await route.fulfill({
      json: { data: { deleted: ids, failed: [], undoId: "undo" }, error: null },
    });
  });

/** Refuses to show the folder again, for longer than the state lasts. */
async function refuseRefresh(page: Page): Promise<void> {
  const url = "**/api/folders?*";
  await page.route(url, (route) =>
    route.fulfill({
      status: 429,
      headers: { "Retry-After": "60" },
      json: { data: null, error: { message: "Too many requests. Try again in 60 s." } },
    }),
  );
  // Phones have no room for the button.
  await page.keyboard.press("r");
  await page.getByText("Too many requests right now.").waitFor();
  await page.unroute(url);
}

export const FILES_PAGE_STATES: readonly PageState[] = [
  { name: "files-list", path: "/files" },
  {
    name: "files-selected",
    path: "/files",
    prepare: sequence(select("brand"), select("README.md")),
  },
  { name: "files-grid", path: "/files/brand/photos?sort=name&dir=asc&view=grid" },
  { name: "files-grid-folders", path: "/files?sort=name&dir=asc&view=grid" },
  { name: "files-many", path: "/files/press" },
  { name: "files-deep", path: "/files/brand/logos/archive/2024/print/final" },
  { name: "files-search", path: "/files?q=note-001" },
  { name: "files-filtered", path: "/files/brand?type=image%2F*&in=folder" },
  { name: "files-nothing", path: "/files?q=zzzz" },
  { name: "files-empty", path: "/files/empty" },
  { name: "files-missing", path: "/files/nowhere" },
  { name: "files-failing", path: "/files/press", before: failWith500("**/api/folders?*") },
  {
    name: "files-menu",
    path: "/files",
    selector: "[role=menu]",
    prepare: openMenu("README.md"),
  },
  {
    name: "files-rename",
    path: "/files",
    prepare: async (page) => {
      await select("README.md")(page);
      await page.getByRole("grid").focus();
      await page.keyboard.press("F2");
    },
  },
  { name: "dialog-folder", path: "/files", selector: DIALOG, prepare: press("New folder") },
  {
    name: "dialog-delete",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(select("press"), press(/^Delete$/)),
  },
  {
    name: "dialog-move",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(select("README.md"), press("Move to…")),
  },
  {
    name: "dialog-taken",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(
      select("README.md"),
      press("Move to…"),
      (page) =>
        page.getByRole("dialog").getByRole("treeitem", { name: "inbox", exact: true }).click(),
      press("Move here"),
      (page) => page.getByRole("dialog", { name: "Name already taken" }).waitFor(),
    ),
  },
  {
    name: "dialog-copy",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(openMenu("README.md"), choose("Copy to…")),
  },
  {
    name: "dialog-visibility",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(select("brand"), chooseForSelection("Visibility…")),
  },
  {
    name: "dialog-signed",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(
      select("brand-guidelines.pdf"),
      press("Share…"),
      (page) => page.getByText("For developers").click(),
      press("Create signed URL"),
      (page) => page.getByText("Signed URL created").waitFor(),
    ),
  },
  {
    name: "dialog-share",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(
      select("brand"),
      press("Share…"),
      (page) => page.getByRole("button", { name: /^(?:Copy link|Link copied)$/ }).waitFor(),
      (page) => page.getByRole("dialog").getByText("Settings", { exact: true }).click(),
      (page) => page.getByLabel("Ask for a password").check(),
      press("Save settings"),
      (page) => page.getByText("Enter a password.").waitFor(),
    ),
  },
  {
    name: "dialog-share-drop",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(select("inbox"), press("Share…"), (page) =>
      page.getByRole("radio", { name: "Upload request" }).check(),
    ),
  },
  {
    name: "files-undo",
    path: "/files/press",
    selector: "section[popover]:popover-open",
    before: fakeDeletion,
    prepare: sequence(select("note-00002.txt"), press(/^Delete$/), (page) =>
      page.getByRole("button", { name: "Undo" }).waitFor(),
    ),
  },
  {
    name: "dialog-headers",
    path: "/files",
    // On phones, the details are a dialog, too.
    selector: `${DIALOG}:has(form)`,
    prepare: sequence(
      openMenu("README.md"),
      choose("Details I"),
      press("Edit headers…"),
      (page) => page.getByLabel("Cache-Control").waitFor(),
      press("Add X-Meta header"),
      forgetDetails,
    ),
  },
  {
    name: "dialog-embed",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(openMenu("README.md"), choose("Embed…"), (page) =>
      page.getByRole("button", { name: "Copy Markdown" }).waitFor(),
    ),
  },
  {
    name: "edit-text",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(openMenu("config.production.json"), choose("Edit"), (page) =>
      page.getByText("Valid JSON").waitFor(),
    ),
  },
  {
    name: "dialog-fetch",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(press(/^Upload$/), choose("From URLs…")),
  },
  {
    name: "palette",
    path: "/files",
    selector: DIALOG,
    prepare: sequence(
      (page) => page.keyboard.press("Control+k"),
      (page) => page.getByRole("dialog").getByRole("option").first().waitFor(),
    ),
  },
  {
    name: "details-file",
    path: "/files",
    selector: DETAILS,
    prepare: sequence(select("README.md"), showDetails),
  },
  {
    name: "details-selection",
    path: "/files",
    selector: DETAILS,
    prepare: sequence(select("brand"), select("README.md"), showDetails),
  },
  {
    name: "details-preview",
    path: "/files",
    prepare: sequence(openPreview("README.md"), (page) => page.keyboard.press("i"), forgetDetails),
  },
  {
    name: "dialog-shortcuts",
    path: "/files",
    selector: DIALOG,
    prepare: (page) => page.keyboard.press("?"),
  },
  {
    name: "files-drop",
    path: "/files",
    prepare: async (page) => {
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["x"], "harbour.jpg"));
        document.body.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }));
      });
      await page.locator("[data-drop-overlay]").waitFor();
    },
  },
  { name: "files-throttled", path: "/files/inbox", prepare: refuseRefresh },
  {
    name: "uploads",
    path: "/files/inbox",
    prepare: sequence(paste({ "README.md": "x", "\u0007.txt": "x" }), (page) =>
      page
        .getByText(/control characters/)
        .first()
        .waitFor(),
    ),
  },
  { name: "preview-picture", path: "/files", selector: PREVIEW, prepare: openPreview("cover.svg") },
  { name: "preview-page", path: "/files", selector: PREVIEW, prepare: openPreview("README.md") },
  {
    name: "preview-code",
    path: "/files",
    selector: PREVIEW,
    prepare: openPreview("config.production.json"),
  },
  {
    name: "preview-details",
    path: "/files",
    selector: PREVIEW,
    prepare: openPreview("backup-2026-11-20"),
  },
  { name: "preview-audio", path: "/files", selector: PREVIEW, prepare: openPreview("jingle.wav") },
  {
    name: "preview-pdf",
    path: "/files",
    selector: PREVIEW,
    prepare: sequence(openPreview("annual-report-2025"), (page) =>
      page.locator("[data-drawn]").first().waitFor(),
    ),
  },
  {
    name: "preview-pdf-find",
    path: "/files",
    selector: PREVIEW,
    prepare: sequence(
      openPreview("annual-report-2025"),
      press("Find in the document"),
      (page) => page.getByRole("searchbox", { name: "Find in the document" }).fill("page"),
      (page) => page.getByText(/^1 of \d+$/).waitFor(),
    ),
  },
  {
    name: "preview-table",
    path: "/files",
    selector: PREVIEW,
    prepare: sequence(openPreview("prices.csv"), (page) => page.getByText("Weekend").waitFor()),
  },
];
