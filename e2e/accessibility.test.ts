import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { isLongForm } from "../test/long-forms.fixture.ts";
import { axeViolations } from "./axe-violations.ts";
import type { Visit } from "./browser.ts";
import { enterState, type PageState, waitUntilIdle } from "./page-state.ts";
import { PAGE_STATES } from "./page-states.ts";
import { seedActivity } from "./seed-activity.ts";
import { seedDemo } from "./seed-demo.ts";
import { seedSharing } from "./seed-sharing.ts";
import { sharedFixture } from "./shared-fixture.ts";

const VARIANTS = [
  { width: 1280, theme: "light" },
  { width: 360, theme: "dark" },
] as const;

/* Two visits cover all states, because opening a new page for each would take most of the time. */
let signedIn: Visit;
let anonymous: Visit;
beforeAll(async () => {
  const fixture = await sharedFixture();
  await seedDemo(fixture.seed);
  await seedSharing(fixture.seed);
  await seedActivity(fixture);
  const options = { reducedMotion: true, expectedStatuses: [400, 401, 404, 500] };
  signedIn = await fixture.signedIn(options);
  anonymous = await fixture.anonymous(options);
});
afterAll(async () => {
  await signedIn.close();
  await anonymous.close();
});

/** The short form checks one state on a wide page and the next on a narrow one. */
const CASES = PAGE_STATES.map((state, index) => {
  const variants = isLongForm ? VARIANTS : VARIANTS.slice(index % 2, (index % 2) + 1);
  return [state.name, variants.map(({ width }) => width).join(" and "), state, variants] as const;
});

test.each(CASES)(
  "axe reports no violations in %s, in both themes, %s pixels wide",
  async (_name, _widths, state, variants) => {
    const { page, consoleErrors } = state.anonymous ? anonymous : signedIn;
    const before = consoleErrors.length;
    for (const [index, { width, theme }] of variants.entries()) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      // Dialogs survive a resize; menus close.
      if (index === 0 || !(await isShown(page, state))) await enterState(page, state);
      else await waitUntilIdle(page);
      expect(await axeViolations(page, state.selector)).toEqual([]);
    }
    expect(consoleErrors.slice(before)).toEqual([]);
  },
);

const isShown = async (page: Page, { selector = "h1" }: PageState): Promise<boolean> =>
  (await page.locator(selector).count()) > 0;
