import type { Page } from "playwright-core";
import type { PageState } from "./page-state.ts";
import { choose, failWith500, openMenu, press, sequence } from "./steps.ts";

const DIALOG = "dialog[open]";

const openDetails = sequence(openMenu("README.md"), choose("Details I"), (page) =>
  page
    .getByRole("button", { name: /^Restore the version/ })
    .first()
    .scrollIntoViewIfNeeded(),
);

const fakeEmptyTrash = (page: Page) =>
  page.route("**/api/trash?*", (route) =>
    route.fulfill({
      json: {
        data: { items: [], totals: { items: 0, files: 0, bytes: 0 }, nextCursor: null },
        error: null,
      },
    }),
  );

const waitForTrash = (page: Page) => page.getByText("press kit").first().waitFor();

/* The trash, links and versions. */
export const SHARING_PAGE_STATES: readonly PageState[] = [
  { name: "trash", path: "/trash", prepare: waitForTrash },
  {
    name: "trash-selected",
    path: "/trash",
    prepare: (page) => page.getByLabel("Select press kit").check(),
  },
  {
    name: "trash-delete",
    path: "/trash",
    selector: DIALOG,
    prepare: press("Delete press kit permanently"),
  },
  {
    name: "trash-emptying",
    path: "/trash",
    selector: DIALOG,
    prepare: press("Empty trash…"),
  },
  { name: "trash-empty", path: "/trash", before: fakeEmptyTrash },
  { name: "trash-failing", path: "/trash", before: failWith500("**/api/trash?*") },
  {
    name: "links",
    path: "/links",
    prepare: (page) => page.getByLabel("Show revoked links").check(),
  },
  {
    name: "links-edit",
    path: "/links",
    selector: DIALOG,
    prepare: press("Edit Brand assets for the press"),
  },
  {
    name: "links-revoke",
    path: "/links",
    selector: DIALOG,
    prepare: press("Revoke Brand assets for the press"),
  },
  { name: "links-failing", path: "/links", before: failWith500("**/api/links?*") },
  {
    name: "details-versions",
    path: "/files",
    selector: ":is(aside, dialog)[aria-label=Details]",
    prepare: openDetails,
  },
  {
    name: "details-version",
    path: "/files",
    selector: 'dialog[open]:has([aria-label="Text of the version"])',
    prepare: sequence(openDetails, press(/^Preview the version/), (page) =>
      page.getByLabel("Text of the version").waitFor(),
    ),
  },
  {
    name: "settings-trash",
    path: "/settings/trash",
    prepare: (page) => page.getByLabel("Keep the trash for", { exact: true }).fill("7"),
  },
];
