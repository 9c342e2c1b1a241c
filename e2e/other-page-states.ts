import type { Page } from "playwright-core";
import type { PageState } from "./page-state.ts";
import { failWith500, press, scrollUntilShown, sequence } from "./steps.ts";

const DIALOG = "dialog[open]";

const LONG_NAME = `${"a-very-long-name-without-spaces-".repeat(4)}end.tar.gz`;

/** Fakes the traffic of weeks of use. */
const fakeTraffic = (page: Page) =>
  page.route("**/api/overview*", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const { traffic } = data;
    for (const [index, each] of traffic.entries()) {
      const wave = 1 + Math.sin((index / traffic.length) * 9) + Math.abs(Math.sin(index * 12.9898));
      each.requests = Math.round(wave * 410);
      each.errorsByStatus =
        index % 5 === 2
          ? [404, 401, 503, 416, 429, 410, 403].map((status, at) => ({
              status,
              requests: Math.round((wave * 35) / (at + 1)),
            }))
          : [];
      each.errors = each.errorsByStatus.reduce(
        (sum: number, { requests }: { requests: number }) => sum + requests,
        0,
      );
      each.bytes = Math.round(wave * (2 + Math.cos(index * 3.1)) * 73_000_000);
    }
    data.mostRequested.files = [...data.newest, ...data.largest]
      .filter(({ id }, index, files) => files.findIndex((file) => file.id === id) === index)
      .slice(0, 10)
      .map((file, index) => ({
        file: index === 1 ? { ...file, name: LONG_NAME } : file,
        requests: Math.round(90_000 / (index + 1) ** 2),
        bytes: index === 3 ? 0 : Math.round(file.size * (90_000 / (index + 1) ** 2)),
      }));
    data.previous = { requests: 15_300, bytes: 6_700_000_000, errors: 12 };
    await route.fulfill({ response, json: { data, error: null } });
  });

/** Fakes a setting that is pinned by the environment. */
const fakePinnedSetting = (page: Page) =>
  page.route("**/api/settings", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    data.settings.maxFilesPerRequest.pinned = true;
    await route.fulfill({ response, json: { data, error: null } });
  });

const fakeNoWebhooks = (page: Page) =>
  page.route("**/api/webhooks", (route) =>
    route.fulfill({ json: { data: { webhooks: [] }, error: null } }),
  );

/** Fakes webhooks in all states: real ones would wait for hours. */
async function fakeWebhooks(page: Page): Promise<void> {
  const webhook = (name: string, more: object) => ({
    ...{ id: name, name, url: "https://app.example.com/api/holdall", kinds: [], folder: null },
    ...{ state: "active", reason: null, createdAt: "2026-03-01 09:30:00", failedAttempts: 0 },
    ...{ nextAttemptAt: null, oldSecretExpiresAt: null, ...more },
  });
  const webhooks = [
    webhook("gallery", {
      kinds: ["file.created", "file.replaced"],
      folder: { id: "f", key: "photos/2026" },
      oldSecretExpiresAt: "2036-03-02 09:30:00",
    }),
    webhook("search index", { failedAttempts: 4, nextAttemptAt: "2036-03-01 10:30:00" }),
    webhook("old campaign", {
      ...{ state: "paused", folder: { id: "g", key: null }, kinds: ["file.deleted", "file.moved"] },
      reason: "Deliveries have failed for 48 hours. The receiver answered 503.",
    }),
    webhook("on holiday", { state: "paused", kinds: ["backup.failed", "scrub.findings"] }),
    webhook(LONG_NAME.slice(0, 99), {
      state: "off",
      reason: "The receiver answered 410: it does not want events any more.",
    }),
  ];
  const delivery = (id: string, more: object) => ({
    ...{ id, eventId: `msg_${id}`, kind: "file.created", key: `photos/2026/${id}.jpg` },
    ...{ state: "delivered", attempts: 1, status: 204, milliseconds: 41, error: null },
    ...{ response: null, at: "2026-03-01 09:30:00", ...more },
  });
  const deliveries = [
    delivery("harbour", {
      ...{ state: "failed", status: 500, attempts: 3, milliseconds: 1204 },
      ...{ error: "The receiver answered 500.", response: "Error: connect ECONNREFUSED" },
    }),
    delivery("quay", {}),
    delivery("test", { kind: "webhook.test", key: null, status: 200, response: "ok" }),
    delivery(LONG_NAME, { kind: "file.replaced" }),
  ];
  await page.route("**/api/webhooks", (route) =>
    route.fulfill({ json: { data: { webhooks }, error: null } }),
  );
  await page.route("**/api/webhooks/deliveries*", (route) =>
    route.fulfill({ json: { data: { deliveries, nextCursor: null }, error: null } }),
  );
}

/** Fakes passkeys, since pages at an IP address can have none. */
const fakePasskeys = (page: Page) =>
  page.route("**/auth/passkeys", (route) => {
    const passkey = (id: string, name: string, more: object) => ({
      id,
      name,
      host: "files.example.com",
      credentialId: id,
      synced: false,
      createdAt: "2026-01-31 09:30:00",
      lastUsedAt: null,
      ...more,
    });
    const passkeys = [
      passkey("1", "Windows Hello", { host: "127.0.0.1" }),
      passkey("2", "Apple Passwords", { synced: true, lastUsedAt: "2026-02-03 18:04:00" }),
    ];
    return route.fulfill({ json: { data: { passkeys }, error: null } });
  });

/** The policy of hosted files lets no script run on their pages, not even axe. */
const liftSandbox = (page: Page) =>
  page.route("**/api/hosting/**", async (route) => {
    const response = await route.fetch();
    const { "content-security-policy": _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });

/* All pages except the files page. */
export const OTHER_PAGE_STATES: readonly PageState[] = [
  { name: "webhooks-empty", path: "/webhooks", before: fakeNoWebhooks },
  { name: "webhooks", path: "/webhooks", before: fakeWebhooks },
  {
    name: "webhooks-deliveries",
    path: "/webhooks",
    before: fakeWebhooks,
    selector: DIALOG,
    prepare: press("Deliveries of gallery"),
  },
  {
    name: "webhooks-dialog",
    path: "/webhooks",
    before: fakeWebhooks,
    selector: DIALOG,
    prepare: press("Create webhook"),
  },
  { name: "keys", path: "/keys" },
  {
    name: "keys-new",
    path: "/keys",
    prepare: async (page) => {
      await press("Create API key")(page);
      await page.getByLabel("Name", { exact: true }).fill("website");
      await page.getByRole("dialog").getByRole("button", { name: "Create API key" }).click();
      await page.getByText("Your new key").waitFor();
    },
  },
  {
    name: "keys-agent",
    path: "/keys",
    selector: DIALOG,
    prepare: press("Key for an agent"),
  },
  {
    name: "keys-dialog",
    path: "/keys",
    selector: DIALOG,
    prepare: sequence(
      press("Create API key"),
      (page) => page.getByLabel("Expires").selectOption("Custom date and time…"),
      (page) => page.getByLabel("Name", { exact: true }).press("Enter"),
    ),
  },
  {
    name: "keys-limited",
    path: "/keys",
    selector: DIALOG,
    prepare: sequence(
      press("Create API key"),
      (page) => page.getByLabel("Access").selectOption("Custom…"),
      (page) => page.getByRole("radio", { name: "One folder" }).check(),
      (page) => page.getByRole("treeitem", { name: "brand" }).click(),
      (page) => page.getByText("Only “brand” and everything in it").waitFor(),
    ),
  },
  { name: "keys-rename", path: "/keys", prepare: press("Rename backup") },
  { name: "keys-rotate", path: "/keys", selector: DIALOG, prepare: press("Rotate backup") },
  { name: "keys-revoke", path: "/keys", selector: DIALOG, prepare: press("Revoke backup") },
  {
    name: "keys-s3",
    path: "/keys",
    selector: DIALOG,
    prepare: sequence(press("S3 clients with backup"), (page) =>
      page.getByText("Secret access key").waitFor(),
    ),
  },
  { name: "keys-failing", path: "/keys", before: failWith500("**/api/keys") },
  { name: "activity", path: "/activity" },
  {
    name: "activity-entries",
    path: "/activity",
    prepare: async (page) => {
      const group = page.getByRole("button", { name: "3 entries" });
      await scrollUntilShown(page, group);
      await group.first().click();
      const entries = page.getByRole("list", { name: "Entries" }).getByRole("listitem");
      await entries.last().scrollIntoViewIfNeeded();
    },
  },
  { name: "activity-failed", path: "/activity?outcome=failed&from=2026-01-01&to=2030-12-31" },
  { name: "activity-clear", path: "/activity", selector: DIALOG, prepare: press("Clear…") },
  { name: "activity-nothing", path: "/activity?action=setup&time=hour" },
  { name: "overview", path: "/overview", before: fakeTraffic },
  {
    name: "overview-week",
    path: "/overview?period=week",
    before: fakeTraffic,
    prepare: sequence(
      (page) => page.getByRole("slider").first().press("ArrowLeft"),
      (page) => page.keyboard.press("PageDown"),
    ),
  },
  {
    name: "overview-month",
    path: "/overview?period=month",
    before: fakeTraffic,
    prepare: (page) => page.getByText("Show as table").click(),
  },
  { name: "overview-quiet", path: "/overview" },
  { name: "overview-failing", path: "/overview", before: failWith500("**/api/overview*") },
  { name: "settings", path: "/settings" },
  { name: "settings-security", path: "/settings/security" },
  {
    name: "settings-email",
    path: "/settings",
    prepare: (page) => page.getByLabel("Email address").fill("other@example.com"),
  },
  {
    name: "settings-instance",
    path: "/settings/uploads",
    before: fakePinnedSetting,
    prepare: (page) => page.getByLabel("Maximum file size", { exact: true }).fill("12"),
  },
  {
    name: "settings-wrong",
    path: "/settings/links",
    prepare: async (page) => {
      const links = page.getByRole("region", { name: "Signed URLs", exact: true });
      await links.getByLabel("Default signed URL lifetime", { exact: true }).fill("9000");
      await links.getByRole("button", { name: "Save" }).click();
      await links.getByRole("alert").filter({ hasText: "Must" }).waitFor();
    },
  },
  {
    name: "settings-loss",
    path: "/settings/activity",
    prepare: (page) => page.getByLabel("Keep activity for", { exact: true }).fill("7"),
  },
  { name: "settings-passkeys", path: "/settings/security", before: fakePasskeys },
  {
    name: "settings-passkey-remove",
    path: "/settings/security",
    before: fakePasskeys,
    selector: DIALOG,
    prepare: press("Remove Windows Hello"),
  },
  {
    name: "settings-session",
    path: "/settings/security",
    selector: DIALOG,
    prepare: (page) =>
      page
        .getByRole("button", { name: /^Sign out .+ at / })
        .first()
        .click(),
  },
  { name: "settings-failing", path: "/settings/uploads", before: failWith500("**/api/settings") },
  { name: "not-found", path: "/nothing" },
  {
    name: "hosting-missing",
    path: "/api/hosting/gone/harbour.jpg",
    anonymous: true,
    before: liftSandbox,
  },
  { name: "docs", path: "/docs" },
  { name: "docs-guide", path: "/docs/sharing" },
  { name: "docs-api", path: "/docs/api" },
  { name: "docs-api-basics", path: "/docs/api/basics" },
  { name: "docs-api-topic", path: "/docs/api/keys#rotateKey" },
  {
    name: "docs-api-try",
    path: "/docs/api/keys#createKey",
    async prepare(page) {
      // The dashboard notes this when somebody signs in; this visit may begin in the documents.
      await page.evaluate(() => localStorage.setItem("holdall-session", "active"));
      await page.reload();
      await page.locator("#createKey .try > summary").click();
      await page.locator("#createKey .try form").waitFor();
    },
  },
  { name: "docs-api-objects", path: "/docs/api/objects" },
  { name: "settings-appearance", path: "/settings/appearance" },
  { name: "sign-in", path: "/sign-in", anonymous: true },
];
