import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { isLongForm } from "../test/long-forms.fixture.ts";
import { barriers } from "./axe.ts";
import type { Visit } from "./browser.ts";
import { seedDeeds } from "./deeds.ts";
import { seedDemo } from "./demo.ts";
import { sharedBed } from "./shared-bed.ts";
import { enter, type State, settled } from "./state.ts";
import { STATES } from "./states.ts";

const LOOKS = [
  { width: 1280, theme: "light" },
  { width: 360, theme: "dark" },
] as const;

/* Two visits cover all states, because opening a new page for each would take most of the time. */
let ada: Visit;
let stranger: Visit;
beforeAll(async () => {
  const bed = await sharedBed();
  await seedDemo(bed.seed);
  await seedDeeds(bed);
  const options = { still: true, expected: [400, 401, 404, 500] };
  ada = await bed.signedIn(options);
  stranger = await bed.stranger(options);
});
afterAll(async () => {
  await ada.close();
  await stranger.close();
});

/** The short form checks one state on a wide page and the next on a narrow one. */
const CASES = STATES.map((state, index) => {
  const looks = isLongForm ? LOOKS : LOOKS.slice(index % 2, (index % 2) + 1);
  return [state.name, looks.map(({ width }) => width).join(" and "), state, looks] as const;
});

test.each(CASES)(
  "axe reports no violations in %s, in both themes, %s pixels wide",
  async (_name, _widths, state, looks) => {
    const { page, complaints } = state.stranger ? stranger : ada;
    const before = complaints.length;
    for (const [index, { width, theme }] of looks.entries()) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      // Dialogs survive a resize; menus close.
      if (index === 0 || !(await isThere(page, state))) await enter(page, state);
      else await settled(page);
      expect(await barriers(page, state.part)).toEqual([]);
    }
    expect(complaints.slice(before)).toEqual([]);
  },
);

const isThere = async (page: Page, { part = "h1" }: State): Promise<boolean> =>
  (await page.locator(part).count()) > 0;
