import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { SETTING_LABELS } from "../dashboard/src/text/format-setting.ts";
import { eventually } from "../test/expectations.ts";
import { PASSWORD, peopleOn } from "../test/people.fixture.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type Visit, type VisitOptions } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { paste } from "./steps.ts";

const WRITE = ["list", "read", "write", "discard", "share"] as const;

let fixture: BrowserFixture;
let people: Awaited<ReturnType<typeof peopleOn>>;
beforeAll(async () => {
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0", RATE_LIMIT_SIGN_IN: "0" });
  people = await peopleOn(fixture.server, PASSWORD);
});
afterAll(() => fixture.discard());
afterEach(closeVisits);

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });
const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });
const linkNames = (page: Page) => navigation(page).getByRole("link").allInnerTexts();
const accountRow = (page: Page, email: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(email, { exact: true }) });

/** A page in a browser where the member has signed in. */
async function memberVisit(
  member: { readonly email: string },
  options: VisitOptions = {},
): Promise<Visit> {
  const visit = await fixture.anonymous({ reducedMotion: true, ...options });
  const { page } = visit;
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Sign in").click();
  await page.waitForURL("**/files*");
  return visit;
}

test("who works alone sees no page for people until somebody is invited", async () => {
  const alone = await createBrowserFixture();
  try {
    const { page } = await alone.signedIn({ reducedMotion: true });
    await page.goto("/settings");
    await page.getByRole("link", { name: "Invite somebody" }).waitFor();
    expect(await linkNames(page)).not.toContain("People");
    await page.getByRole("link", { name: "Invite somebody" }).click();
    await page.getByRole("heading", { name: "Invite somebody" }).waitFor();
    await page.getByRole("radio", { name: /^Owner/ }).check();
    await button(page, "Create link").click();
    await button(page, "Done").click();
    await navigation(page).getByRole("link", { name: "People" }).waitFor();
    await page.reload();
    await navigation(page).getByRole("link", { name: "People" }).waitFor();
    await button(page, /^Withdraw the invitation/).click();
    await button(page, "Withdraw").click();
    await navigation(page).getByRole("link", { name: "People" }).waitFor({ state: "detached" });
  } finally {
    await closeVisits();
    await alone.discard();
  }
});

test("somebody is invited, works in the folder, is disabled, and is signed out", async () => {
  await fixture.seed.file("shared/hello.txt");
  await fixture.seed.file("secret/plan.txt");
  const owner = await fixture.signedIn({ reducedMotion: true });
  await owner.page.goto("/people");
  await button(owner.page, "Invite somebody").click();
  await button(owner.page, "Create link").click();
  await owner.page.getByText("Choose a folder.", { exact: true }).waitFor();
  await owner.page.getByRole("treeitem", { name: "shared" }).click();
  await owner.page.getByText("“shared” and everything in it").waitFor();
  expect(await axeViolations(owner.page)).toEqual([]);
  await button(owner.page, "Create link").click();
  await owner.page.getByText("Invitation created and copied.").waitFor();
  const link = await owner.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toStartWith(`${fixture.server.url}/invite#`);
  await button(owner.page, "Done").click();
  await owner.page.getByText("shared: read and write").waitFor();

  const guest = await fixture.anonymous({ reducedMotion: true, expectedStatuses: [401, 410] });
  const { page } = guest;
  await page.goto(link);
  await page.getByRole("heading", { name: /^Join / }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await button(page, "Create account").click();
  await page.getByText("Enter an email address").waitFor();
  await page.getByLabel("Email address").fill("grace@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Create account").click();
  await page.waitForURL("**/files/shared*");
  await row(page, "hello.txt").waitFor();
  expect(await linkNames(page)).toEqual([
    "Files",
    "Links",
    "Trash",
    "API keys",
    "Activity",
    expect.stringContaining("Documentation"),
  ]);
  expect(await axeViolations(page)).toEqual([]);
  await paste({ "mine.txt": "mine" })(page);
  await row(page, "mine.txt").waitFor();
  expect(await page.getByText("secret").count()).toBe(0);
  expect(await page.getByRole("treeitem", { name: "Files" }).count()).toBe(0);
  for (const path of ["/people", "/overview", "/health", "/webhooks"]) {
    await page.goto(path);
    await page.getByText("Page not found").waitFor();
  }
  await page.goto("/settings");
  await page.getByLabel("Email address").waitFor();
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  expect(await tabs.allInnerTexts()).toEqual(["Account", "Security"]);
  await page.goto(link);
  await page.getByRole("heading", { name: "This invitation has ended" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.goto("/files/shared");
  await row(page, "mine.txt").waitFor();

  await owner.page.reload();
  await accountRow(owner.page, "grace@example.com").getByText("shared: read and write").waitFor();
  expect(await axeViolations(owner.page)).toEqual([]);
  await button(owner.page, "Manage grace@example.com").click();
  await owner.page.getByRole("menuitem", { name: "Disable…" }).click();
  await owner.page.getByText("All devices are signed out at once.").waitFor();
  await button(owner.page, "Disable account").click();
  await accountRow(owner.page, "grace@example.com").getByText("Disabled").waitFor();

  await button(page, "New folder").click();
  await page.getByLabel("Name").fill("late");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sign-in?to=*");
  await page.getByText("Your session has ended.").waitFor();
  expect([...owner.consoleErrors, ...guest.consoleErrors]).toEqual([]);
});

test("an invitation gives several folders, each with its own access", async () => {
  for (const folder of ["team", "press", "drafts"]) await fixture.seed.file(`${folder}/a.txt`);
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/people");
  await button(page, "Invite somebody").click();
  const add = button(page, "Add another folder");
  await add.click();
  await page.getByText("Choose a folder.", { exact: true }).waitFor();
  for (const folder of ["drafts", "team"]) {
    await page.getByRole("treeitem", { name: folder }).click();
    await add.click();
    await button(page, `Remove access to ${folder}`).waitFor();
  }
  await page.getByRole("treeitem", { name: "team" }).click();
  await button(page, "Create link").click();
  await page.getByText("This folder is in the list above.").waitFor();
  await button(page, "Remove access to drafts").click();
  expect(await add.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByRole("treeitem", { name: "press" }).click();
  await page.getByLabel("Access", { exact: true }).selectOption("Custom…");
  await page.getByLabel("Share", { exact: true }).uncheck();
  await page.getByLabel("Access", { exact: true }).selectOption("Read only");
  expect(await axeViolations(page)).toEqual([]);
  await button(page, "Create link").click();
  await button(page, "Done").click();
  await page.getByText("team: read and write").waitFor();
  await page.getByText("press: read only").waitFor();
  expect(await page.getByText(/^drafts:/).count()).toBe(0);
  expect(consoleErrors).toEqual([]);
});

describe("the page for people", () => {
  test("changes, adds and removes what a member may do, and its role", async () => {
    const folder = await people.folder("of-team");
    await people.folder("of-others");
    const member = await people.member([{ folderId: folder.id, actions: WRITE }]);
    const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
    await page.goto("/people");
    const grants = async () => (await people.spacesOf(member)).map(({ folder: { key } }) => key);

    await button(page, `Access of ${member.email}`).click();
    await page.getByLabel("Access to of-team", { exact: true }).selectOption("Read only");
    await accountRow(page, member.email).getByText("of-team: read only").waitFor();
    await button(page, "Add a folder…").click();
    await page.getByRole("treeitem", { name: "of-others" }).click();
    await page.getByLabel("Access", { exact: true }).selectOption("Custom…");
    await page.getByLabel("Share", { exact: true }).uncheck();
    expect(await axeViolations(page)).toEqual([]);
    await button(page, "Give access").click();
    await page.getByRole("dialog").getByRole("link", { name: "of-others" }).waitFor();
    expect(await grants()).toEqual(["of-team", "of-others"]);
    // A preset that is chosen among single actions is saved.
    await page.getByLabel("Access to of-others", { exact: true }).selectOption("Change…");
    await page.getByLabel("Access", { exact: true }).selectOption("Upload only");
    await accountRow(page, member.email).getByText("of-others: upload only").waitFor();
    await page.getByLabel("Access to of-others", { exact: true }).selectOption("Custom…");
    await page.getByLabel("List", { exact: true }).check();
    await button(page, "Save").last().click();
    await accountRow(page, member.email).getByText("of-others: list, write").waitFor();
    await button(page, "Remove access to of-team").click();
    await eventually("the grant is gone", async () => (await grants()).length === 1);
    await button(page, "Close").last().click();
    await accountRow(page, member.email).getByText("of-others: list, write").waitFor();

    await button(page, `Manage ${member.email}`).click();
    await page.getByRole("menuitem", { name: "Make an owner…" }).click();
    await button(page, "Make an owner").click();
    await accountRow(page, member.email).getByText("Owner", { exact: true }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("keeps the focus where access was changed by keyboard", async () => {
    const names = ["kept-a", "kept-b", "kept-c"];
    const member = await people.member(
      await Promise.all(
        names.map(async (name) => ({ folderId: (await people.folder(name)).id, actions: WRITE })),
      ),
    );
    const { page } = await fixture.signedIn({ reducedMotion: true });
    await page.goto("/people");
    const opener = button(page, `Access of ${member.email}`);
    await opener.focus();
    await page.keyboard.press("Enter");
    const focusIs = (name: string) =>
      eventually(
        `${name} has the focus`,
        () =>
          page.evaluate((wanted) => {
            const { activeElement: active } = document;
            const label = active?.id ? document.querySelector(`label[for="${active.id}"]`) : null;
            const names = [active?.ariaLabel, label?.textContent, active?.textContent];
            return names.some((each) => each?.trim() === wanted);
          }, name),
        10_000,
      );
    await focusIs("Access to kept-a");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await focusIs("Access to kept-b");
    // The keys of a closed list choose at once.
    await page.keyboard.press("u");
    await accountRow(page, member.email).getByText("kept-b: upload only").waitFor();
    await focusIs("Access to kept-b");
    await page.keyboard.press("ArrowDown");
    await focusIs("Access");
    await page.getByLabel("List", { exact: true }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).focus();
    await page.keyboard.press("Enter");
    await focusIs("Access to kept-b");

    const remove = async (name: string) => {
      await button(page, `Remove access to ${name}`).focus();
      await page.keyboard.press("Enter");
      await button(page, `Remove access to ${name}`).waitFor({ state: "detached" });
    };
    await remove("kept-a");
    await focusIs("Access to kept-b");
    await remove("kept-c");
    await focusIs("Add a folder…");
    await remove("kept-b");
    await focusIs("Add a folder…");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("leaves the focus alone when access goes away that it had left", async () => {
    const names = ["left-a", "left-b"];
    const member = await people.member(
      await Promise.all(
        names.map(async (name) => ({ folderId: (await people.folder(name)).id, actions: WRITE })),
      ),
    );
    const { page } = await fixture.signedIn({ reducedMotion: true });
    await page.goto("/people");
    await button(page, `Access of ${member.email}`).click();
    await button(page, "Remove access to left-a").focus();
    await page.getByRole("dialog").getByRole("heading").click();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    const before = await focused();
    expect(before).not.toBe("BUTTON");
    await page.evaluate(() => document.querySelector("[data-row]")?.remove());
    // The observer runs before the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await focused()).toBe(before);
  });

  test("shows a new password once, and says what ends with an account", async () => {
    const member = await people.member();
    const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
    await page.goto("/people");
    await button(page, `Manage ${member.email}`).click();
    await page.getByRole("menuitem", { name: "Reset password…" }).click();
    await button(page, "Reset password").click();
    await button(page, "Copy Password").click();
    await button(page, "Password copied").waitFor();
    const password = await page.evaluate(() => navigator.clipboard.readText());
    await button(page, "I've saved it").click();
    expect(await page.content()).not.toContain(password);
    expect((await member.as("GET", "/auth/session")).status).toBe(401);

    await button(page, `Manage ${member.email}`).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByText("its API keys, and the keys that they have created").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await button(page, "Remove account").click();
    await accountRow(page, member.email).waitFor({ state: "detached" });
    expect(consoleErrors).toEqual([]);
  });

  test.each([1440, 390])("fits %d pixels with sixty accounts and long addresses", async (width) => {
    const email = (at: number) => `${"very-".repeat(10)}long-${width}-${at}@mail.example.com`;
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        people.owner("POST", "/api/accounts", { email: email(at), password: PASSWORD }),
      ),
    );
    const { page } = await fixture.signedIn({ reducedMotion: true, width, height: 844 });
    await page.goto("/people");
    await page.getByLabel("Search accounts").fill(`${width}-7@`);
    await accountRow(page, email(7)).waitFor();
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("a member", () => {
  test("of several spaces switches between them, and comes back to the last one", async () => {
    const [one, two] = [await people.folder("space-one"), await people.folder("space-two")];
    const member = await people.member([
      { folderId: one.id, actions: WRITE },
      { folderId: two.id, actions: ["list", "read"] },
    ]);
    const { page, consoleErrors } = await memberVisit(member);
    await page.waitForURL("**/files/space-one*");
    await row(page, "note.txt").waitFor();
    await button(page, "Upload").waitFor();
    await button(page, /^Space space-one/).click();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("menuitemradio", { name: "space-two" }).click();
    await page.waitForURL("**/files/space-two*");
    await row(page, "note.txt").waitFor();
    expect(await button(page, "Upload").count()).toBe(0);
    expect(await linkNames(page)).not.toContain("Trash");
    await row(page, "note.txt").click({ button: "right" });
    expect((await page.getByRole("menuitem").allInnerTexts()).map((text) => text.trim())).toEqual([
      expect.stringContaining("Open"),
      "Open in a new tab",
      "Download",
      "Embed…",
      expect.stringContaining("Details"),
    ]);
    await page.keyboard.press("Escape");
    await page.reload();
    await row(page, "note.txt").waitFor();
    await page.goto("/files");
    await page.waitForURL("**/files/space-two*");
    await page.goto("/files/space-one");
    await row(page, "note.txt").waitFor();
    await button(page, /^Space space-one/).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("without a folder is told so, and gets in once there is one", async () => {
    const member = await people.member();
    const { page, consoleErrors } = await memberVisit(member);
    await page.getByText("No folder is shared with you yet").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await linkNames(page)).toEqual([expect.stringContaining("Documentation")]);
    const folder = await people.folder("given-later");
    await people.grant(member.id, folder.id, ["list"]);
    await button(page, "Check again").click();
    await page.waitForURL("**/files/given-later*");
    await row(page, "note.txt").waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("works on a phone, and sees the quota of the folder", async () => {
    const folder = await people.folder("with-quota");
    await people.owner("PUT", "/api/folders/quota", { id: folder.id, maxBytes: 1_000_000 });
    const member = await people.member([{ folderId: folder.id, actions: WRITE }]);
    const { page, consoleErrors } = await memberVisit(member, { width: 390, height: 844 });
    await row(page, "note.txt").waitFor();
    await button(page, "Details").click();
    await page.getByText("Quota", { exact: true }).waitFor();
    expect(await button(page, "Change quota…").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  test("who may only upload does, without seeing the folder", async () => {
    const folder = await people.folder("drop-box");
    const member = await people.member([{ folderId: folder.id, actions: ["write"] }]);
    const { page, consoleErrors } = await memberVisit(member);
    await page.getByText("You can upload here, but not see what is here").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await paste({ "sent.txt": "sent" })(page);
    await eventually("the file is stored", async () => {
      const { status } = await people.owner("GET", "/api/folders?key=drop-box");
      const stored = await people.owner("GET", "/api/files?search=sent.txt");
      return status === 200 && stored.text.includes("drop-box/sent.txt");
    });
    expect(consoleErrors).toEqual([]);
  });
});

test("a second factor for everyone is set up before anything else", async () => {
  const strict = await createBrowserFixture();
  try {
    const { page } = await strict.signedIn({ reducedMotion: true, expectedStatuses: [403] });
    await page.goto("/people");
    await page.getByText("Your own account has no second factor yet").waitFor();
    await page.getByLabel(SETTING_LABELS.requireSecondFactor).selectOption("On");
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "Protect your account first" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await navigation(page).count()).toBe(0);
  } finally {
    await closeVisits();
    await strict.discard();
  }
});

test.each([
  ["/invite", "This link is incomplete"],
  ["/invite#nonsense", "This invitation has ended"],
])("the page %s says “%s”", async (path, heading) => {
  const { page } = await fixture.anonymous({ reducedMotion: true, expectedStatuses: [410] });
  await page.goto(path);
  await page.getByRole("heading", { name: heading }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "I have an account: sign in" }).click();
  await page.waitForURL("**/sign-in");
});
