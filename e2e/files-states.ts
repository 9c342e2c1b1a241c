import { type State, settled } from "./state.ts";
import { each, failing, press, type Step, select } from "./steps.ts";

const DIALOG = "dialog[open]";
const PREVIEW = "dialog[data-preview]";

const open =
  (name: string): Step =>
  async (page) => {
    await page.getByRole("row", { name }).getByRole("link").click();
    await page.locator(PREVIEW).getByRole("heading").first().waitFor();
  };

export const FILES_STATES: readonly State[] = [
  { name: "files-list", path: "/files" },
  { name: "files-selected", path: "/files", prepare: each(select("brand"), select("README.md")) },
  { name: "files-grid", path: "/files/brand/photos?sort=name&dir=asc&view=grid" },
  { name: "files-grid-folders", path: "/files?sort=name&dir=asc&view=grid" },
  { name: "files-many", path: "/files/press" },
  { name: "files-deep", path: "/files/brand/logos/archive/2024/print/final" },
  { name: "files-search", path: "/files?q=note-001" },
  { name: "files-nothing", path: "/files?q=zzzz" },
  { name: "files-empty", path: "/files/empty" },
  { name: "files-missing", path: "/files/nowhere" },
  { name: "files-failing", path: "/files/press", before: failing("**/api/folders?*") },
  {
    name: "files-menu",
    path: "/files",
    part: "[role=menu]",
    prepare: async (page) => {
      const name = page.getByText("README.md");
      // Menus close when the page scrolls.
      await name.scrollIntoViewIfNeeded();
      await settled(page);
      await name.click({ button: "right" });
    },
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
  { name: "dialog-folder", path: "/files", part: DIALOG, prepare: press("New folder") },
  {
    name: "dialog-delete",
    path: "/files",
    part: DIALOG,
    prepare: each(select("brand"), press("Delete…")),
  },
  {
    name: "dialog-move",
    path: "/files",
    part: DIALOG,
    prepare: each(select("README.md"), press("Move to…")),
  },
  {
    name: "dialog-visibility",
    path: "/files",
    part: DIALOG,
    prepare: each(select("brand"), press("Visibility…")),
  },
  {
    name: "dialog-link",
    path: "/files",
    part: DIALOG,
    prepare: each(select("brand-guidelines.pdf"), press("Get link"), press("Create link"), (page) =>
      page.getByText(/^Expires /).waitFor(),
    ),
  },
  {
    name: "uploads",
    path: "/files/inbox",
    prepare: async (page) => {
      await page.evaluate(() => {
        const data = new DataTransfer();
        for (const name of ["README.md", "\u0007.txt"]) data.items.add(new File(["x"], name));
        document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
      });
      await page
        .getByText(/control characters/)
        .first()
        .waitFor();
    },
  },
  { name: "preview-picture", path: "/files", part: PREVIEW, prepare: open("cover.svg") },
  { name: "preview-page", path: "/files", part: PREVIEW, prepare: open("README.md") },
  { name: "preview-code", path: "/files", part: PREVIEW, prepare: open("config.production.json") },
  { name: "preview-details", path: "/files", part: PREVIEW, prepare: open("backup-2026-11-20") },
];
