import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Visit } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture, EMAIL, PASSWORD } from "./browser-fixture.ts";
import { enterState } from "./page-state.ts";
import { press, type Step } from "./steps.ts";
import type { WordingState } from "./wording-state.ts";
import { BEFORE_SETUP, SIGNED_IN, SIGNED_OUT, WITH_TRAFFIC } from "./wording-states.ts";

/** Sends a request with the session of the page. */
const send =
  (method: string, path: string, body: () => Promise<object>): Step =>
  async (page) => {
    const status = await page.evaluate(async ([url, init]) => (await fetch(url, init)).status, [
      path,
      {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(await body()),
      },
    ] as const);
    expect(status).toBe(200);
  };

const moveToPhotos = send("PUT", "/api/files", async () => {
  const { files, folders } = fixture.seed.holdall;
  const { folder } = await folders.browse({ key: "Photos" }, { limit: 0 });
  return { ids: [(await files.getByKey("Inbox/a.txt")).id], folderId: folder.id };
});

let fixture: BrowserFixture;
let visit: Visit;
beforeAll(async () => {
  const env = { ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined, TRASH_DAYS: "0" };
  fixture = await createBrowserFixture(env);
  visit = await fixture.anonymous({
    reducedMotion: true,
    expectedStatuses: [401, 404, 409, 429, 500],
  });
});
afterAll(async () => {
  await visit.close();
  await fixture.discard();
});

async function expectTexts({ texts, ...state }: WordingState): Promise<void> {
  await enterState(visit.page, state);
  const sources = texts.map((text) =>
    typeof text === "string" ? text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : text.source,
  );
  await visit.page
    .waitForFunction(absentTexts, { sources, isWaiting: true })
    .catch(() => undefined);
  expect(await visit.page.evaluate(absentTexts, { sources, isWaiting: false })).toEqual([]);
  // Routes of this state would hold the next one back.
  await visit.page.goto("about:blank");
  await visit.page.unrouteAll();
}

/** Runs in the page: the texts that it does not have, and while waiting whether it has them all. */
function absentTexts({ sources, isWaiting }: { sources: string[]; isWaiting: boolean }) {
  const elements = [...document.querySelectorAll("option, [aria-label], [data-tooltip]")];
  const others = elements.map((element) =>
    [element.textContent, element.ariaLabel, element.getAttribute("data-tooltip")].join("\n"),
  );
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not read.
  const all = [document.body.innerText, ...others].join("\n").replace(/\s+/g, " ");
  const absent = sources.filter((source) => !new RegExp(source).test(all));
  return isWaiting ? absent.length === 0 : absent;
}

async function setUp(page: Page): Promise<void> {
  await page.goto(/\/setup#\S+/.exec(fixture.server.output())?.[0] ?? "/setup");
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("radio", { name: /^Public/ }).check();
  await press("Create account")(page);
  await page.getByText("No files yet").waitFor();
}

async function seed({ file, holdall }: BrowserFixture["seed"]): Promise<void> {
  for (const name of ["report-1.txt", "report-2.txt"]) await file(`Inbox/${name}`, "text");
  await file("Inbox/a.txt");
  await file("Photos/notes.md", "# Notes\n\n![remote](https://example.com/a.png)\n");
  await file("Photos/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>');
  await holdall.account.signIn({ email: EMAIL, password: PASSWORD });
}

const testAll = (states: readonly WordingState[]) =>
  test.each(states.map((state) => [state.name, state] as const))("%s", (_name, state) =>
    expectTexts(state),
  );

describe("the dashboard has the right words in", () => {
  testAll(BEFORE_SETUP);

  describe("the state of a signed-in user:", () => {
    beforeAll(async () => {
      await setUp(visit.page);
      await seed(fixture.seed);
      await moveToPhotos(visit.page);
    });
    testAll(SIGNED_IN);
  });

  describe("the state of a server with traffic:", () => {
    beforeAll(async () => {
      await fetch(`${fixture.server.url}/api/hosting/Inbox/report-1.txt`);
    });
    testAll(WITH_TRAFFIC);
  });

  describe("the state of a user who has signed out:", () => {
    beforeAll(() => visit.page.context().clearCookies());
    testAll(SIGNED_OUT);
  });
});
