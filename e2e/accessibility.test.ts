import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { isLongForm } from "../test/long-forms.fixture.ts";
import { axeViolations } from "./axe-violations.ts";
import type { Visit } from "./browser.ts";
import { enterState, type PageState } from "./page-state.ts";
import { PAGE_STATES } from "./page-states.ts";
import { seedActivity } from "./seed-activity.ts";
import { seedDemo } from "./seed-demo.ts";
import { seedSharing } from "./seed-sharing.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

const WIDTHS = [1280, 360] as const;
const THEMES = ["light", "dark"] as const;

/* Two visits cover all states, because opening a new page for each would take most of the time. */
let signedIn: Visit;
let anonymous: Visit;
beforeAll(async () => {
  const fixture = await sharedFixture();
  await seedDemo(fixture.seed);
  await seedSharing(fixture.seed);
  await seedActivity(fixture);
  const options = { reducedMotion: true, expectedStatuses: [400, 401, 404, 429, 500] };
  signedIn = await fixture.signedIn(options);
  anonymous = await fixture.anonymous(options);
});
afterAll(async () => {
  await signedIn.close();
  await anonymous.close();
});

/** The short form checks every state once: the widths alternate, and so do the themes of each. */
const CASES = PAGE_STATES.map((state, index) => {
  const theme = THEMES[(index >> 1) % 2] ?? "light";
  const widths = isLongForm ? WIDTHS : WIDTHS.slice(index % 2, (index % 2) + 1);
  const themes = isLongForm ? "both themes" : `the ${theme} theme`;
  return [state.name, themes, widths.join(" and "), state, theme, widths] as const;
});

test.each(CASES)(
  "axe reports no violations in %s, in %s, %s pixels wide",
  async (_name, _themes, _widths, state, theme, widths) => {
    const { page, consoleErrors } = state.anonymous ? anonymous : signedIn;
    const before = consoleErrors.length;
    await page.emulateMedia({ colorScheme: theme });
    for (const [index, width] of widths.entries()) {
      await page.setViewportSize({ width, height: 800 });
      // Dialogs survive a resize; menus close, a moment after it.
      if (index > 0) await waitUntilIdle(page);
      if (index === 0 || !(await isShown(page, state))) await enterState(page, state);
      const checks = isLongForm ? "all" : "this theme";
      expect(await axeViolations(page, state.selector, checks)).toEqual([]);
    }
    expect(consoleErrors.slice(before)).toEqual([]);
  },
);

const isShown = async (page: Page, { selector = "h1" }: PageState): Promise<boolean> =>
  (await page.locator(selector).count()) > 0;
