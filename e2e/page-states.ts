import type { Page } from "playwright-core";
import type { State } from "./state.ts";
import { each, failing, press } from "./steps.ts";

const DIALOG = "dialog[open]";

/** Traffic as weeks of use leave it: nobody can wait for it. */
const busy = (page: Page) =>
  page.route("**/api/overview*", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const { traffic } = data;
    for (const [index, each] of traffic.entries()) {
      const wave = 1 + Math.sin((index / traffic.length) * 9) + Math.abs(Math.sin(index * 12.9898));
      each.requests = Math.round(wave * 410);
      each.errors = index % 5 === 2 ? Math.round(wave * 35) : 0;
      each.bytes = Math.round(wave * (2 + Math.cos(index * 3.1)) * 73_000_000);
    }
    await route.fulfill({ response, json: { data, error: null } });
  });

/** As when the environment decides one of the settings. */
const pinned = (page: Page) =>
  page.route("**/api/settings", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    data.settings.maxFilesPerRequest.pinned = true;
    await route.fulfill({ response, json: { data, error: null } });
  });

/* All pages but the files. */
export const PAGE_STATES: readonly State[] = [
  { name: "keys", path: "/keys" },
  {
    name: "keys-new",
    path: "/keys",
    prepare: async (page) => {
      await press("Create key")(page);
      await page.getByLabel("Name", { exact: true }).fill("website");
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await page.getByText("Your new key").waitFor();
    },
  },
  {
    name: "keys-dialog",
    path: "/keys",
    part: DIALOG,
    prepare: each(
      press("Create key"),
      (page) => page.getByLabel("Ends").selectOption("At a date and time…"),
      (page) => page.getByLabel("Name", { exact: true }).press("Enter"),
    ),
  },
  { name: "keys-rename", path: "/keys", prepare: press("Rename backup") },
  { name: "keys-revoke", path: "/keys", part: DIALOG, prepare: press("Revoke backup") },
  { name: "keys-failing", path: "/keys", before: failing("**/api/keys") },
  { name: "activity", path: "/activity" },
  { name: "activity-failed", path: "/activity?outcome=failed&from=2026-01-01&to=2030-12-31" },
  { name: "activity-nothing", path: "/activity?action=setup&time=hour" },
  { name: "overview", path: "/overview", before: busy },
  {
    name: "overview-week",
    path: "/overview?period=week",
    before: busy,
    prepare: each(
      (page) => page.getByRole("slider").first().press("ArrowLeft"),
      (page) => page.keyboard.press("PageDown"),
    ),
  },
  {
    name: "overview-month",
    path: "/overview?period=month",
    before: busy,
    prepare: (page) => page.getByText("Show as a table").click(),
  },
  { name: "overview-quiet", path: "/overview" },
  { name: "overview-failing", path: "/overview", before: failing("**/api/overview*") },
  { name: "settings", path: "/settings" },
  {
    name: "settings-email",
    path: "/settings",
    prepare: (page) => page.getByLabel("Email address").fill("other@example.com"),
  },
  {
    name: "settings-instance",
    path: "/settings#uploads",
    before: pinned,
    prepare: (page) => page.getByLabel("Largest file", { exact: true }).fill("12"),
  },
  {
    name: "settings-wrong",
    path: "/settings#links",
    prepare: async (page) => {
      const links = page.getByRole("region", { name: "Links", exact: true });
      await links.getByLabel("Usual lifetime of a link", { exact: true }).fill("9000");
      await links.getByRole("button", { name: "Save" }).click();
      await links.getByRole("alert").filter({ hasText: "Must" }).waitFor();
    },
  },
  {
    name: "settings-loss",
    path: "/settings#activity",
    prepare: (page) => page.getByLabel("Activity is kept for", { exact: true }).fill("7"),
  },
  {
    name: "settings-session",
    path: "/settings",
    part: DIALOG,
    prepare: (page) =>
      page
        .getByRole("button", { name: /^End the session of/ })
        .first()
        .click(),
  },
  { name: "settings-failing", path: "/settings#uploads", before: failing("**/api/settings") },
  { name: "not-found", path: "/nothing" },
  { name: "docs", path: "/docs" },
  { name: "sign-in", path: "/sign-in", stranger: true },
];
