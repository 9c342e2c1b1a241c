import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { closeVisits, type VisitOptions } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture();
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

/** Animations of milliseconds take minutes. */
const SLOW = 0.001;

interface Slowed {
  readonly page: Page;
  /** Lets animations end, and slows down those that follow. */
  readonly finish: () => Promise<void>;
  /** What scripts have animated so far. */
  readonly started: readonly string[];
}

/** Opens a list that follows changes made elsewhere. Its animations hardly move. */
async function open(path: string, options: VisitOptions = {}): Promise<Slowed> {
  const { page } = await fixture.signedIn(options);
  const session = await page.context().newCDPSession(page);
  const started: string[] = [];
  session.on("Animation.animationStarted", ({ animation }) => {
    if (animation.type === "WebAnimation") started.push(animation.id);
  });
  await session.send("Animation.enable");
  const setSpeed = (playbackRate: number) =>
    session.send("Animation.setPlaybackRate", { playbackRate });
  await setSpeed(SLOW);
  const following = page.waitForResponse((response) => response.url().includes("/api/changes"));
  await page.goto(`/files/${path}`);
  await page.getByRole("grid").waitFor();
  await following;
  const loaded = page.waitForResponse(/\/show-list-change/);
  await page.mouse.move(9, 9);
  await page.mouse.move(10, 10);
  await (await loaded).finished();
  return {
    page,
    started,
    async finish() {
      await setSpeed(1);
      await page.waitForFunction(() =>
        document.getAnimations().every(({ playState }) => playState === "finished"),
      );
      await setSpeed(SLOW);
    },
  };
}

/** The properties that are being animated by scripts, with their first values. */
const motionOf = (element: Locator): Promise<Record<string, string>> =>
  element.evaluate((node) =>
    Object.assign(
      {},
      ...node
        .getAnimations()
        .filter((animation) => animation.constructor === Animation)
        .map(({ effect }) => {
          const [first] = effect instanceof KeyframeEffect ? effect.getKeyframes() : [];
          return Object.fromEntries(
            Object.entries(first ?? {}).filter(([name]) => /^(opacity|translate)$/.test(name)),
          );
        }),
    ),
  );

const isHighlighted = (element: Locator): Promise<boolean> =>
  element.evaluate((node) =>
    node
      .getAnimations()
      .some(
        ({ effect }) =>
          effect instanceof KeyframeEffect && "backgroundColor" in (effect.getKeyframes()[0] ?? {}),
      ),
  );

const tile = (page: Page, name: string) =>
  page.getByRole("gridcell").filter({ has: page.getByText(name, { exact: true }) });
const leaving = (page: Page, name: string) =>
  page.locator("[data-leaving] > *").filter({ has: page.getByText(name, { exact: true }) });

test("rows that others add and delete fade in and out, and the rows below them slide", async () => {
  for (const name of ["a", "c", "d", "e"]) await fixture.seed.file(`rows/${name}.txt`);
  const { holdall } = fixture.seed;
  const { page, finish } = await open("rows?sort=name&dir=asc&view=list");
  await fixture.seed.file("rows/b.txt");
  await row(page, "b.txt").waitFor();
  expect(await motionOf(row(page, "b.txt"))).toEqual({ opacity: "0", translate: "0px 4px" });
  expect([
    await isHighlighted(row(page, "b.txt")),
    await isHighlighted(row(page, "c.txt")),
  ]).toEqual([true, false]);
  expect(await motionOf(row(page, "c.txt"))).toEqual({ translate: "0px -36px" });
  expect(await motionOf(row(page, "a.txt"))).toEqual({});

  await finish();
  await holdall.files.delete((await holdall.files.getByKey("rows/d.txt")).id);
  await leaving(page, "d.txt").waitFor();
  expect(await row(page, "d.txt").count()).toBe(0);
  expect(await motionOf(leaving(page, "d.txt"))).toEqual({ opacity: "1" });
  const boxOf = async (element: Locator) => ({ ...(await element.boundingBox()) });
  const { y = 0, ...c } = await boxOf(row(page, "c.txt"));
  expect(await boxOf(leaving(page, "d.txt"))).toMatchObject({ ...c, y: y + 36 });
  expect(await motionOf(row(page, "e.txt"))).toEqual({ translate: "0px 36px" });

  await finish();
  await leaving(page, "d.txt").waitFor({ state: "detached" });
  await expectNames(page, ["a.txt", "b.txt", "c.txt", "e.txt"]);
  expect(await row(page, "e.txt").evaluate((element) => element.getAnimations().length)).toBe(0);
});

test("tiles slide along their row, and fade in where they are in another row", async () => {
  for (let at = 1; at <= 7; at += 1) await fixture.seed.file(`tiles/${at}.txt`);
  const { holdall } = fixture.seed;
  const { page, finish } = await open("tiles?sort=name&dir=asc&view=grid", { width: 900 });
  await tile(page, "7.txt").waitFor();
  const boxes = await page
    .getByRole("gridcell")
    .evaluateAll((tiles) => tiles.map((each) => each.getBoundingClientRect().toJSON()));
  const columns = boxes.filter(({ top }) => top === boxes[0]?.top).length;
  expect(columns).toBeGreaterThan(1);
  expect(columns).toBeLessThan(7);
  const step = boxes[1].x - boxes[0].x;
  await holdall.files.delete((await holdall.files.getByKey("tiles/1.txt")).id);
  await leaving(page, "1.txt").waitFor();
  expect(await leaving(page, "1.txt").boundingBox()).toMatchObject({
    x: boxes[0].x,
    y: boxes[0].y,
    width: boxes[0].width,
    height: boxes[0].height,
  });
  expect(await motionOf(tile(page, "2.txt"))).toEqual({ translate: `${step}px` });
  expect(await motionOf(tile(page, `${columns + 1}.txt`))).toMatchObject({ opacity: "0" });
  await finish();
  await leaving(page, "1.txt").waitFor({ state: "detached" });
  await fixture.seed.file("tiles/1.txt");
  await tile(page, "1.txt").waitFor();
  await expectNames(page, ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt", "6.txt", "7.txt"]);
});

test("loading, sorting, scrolling, paging and other layouts have no motion", async () => {
  await fixture.seed.many("still", 500);
  const { page, started } = await open("still?sort=name&dir=asc&view=list");
  await row(page, "note-00001.txt").waitFor();
  await page.getByRole("grid").focus();
  const more = page.waitForResponse(/api\/folders\?.*cursor=\w/);
  await page.keyboard.press("End");
  await more;
  await page.waitForFunction(
    () => (document.querySelector("[data-entries]")?.scrollHeight ?? 0) > 500 * 36,
  );
  await page.keyboard.press("End");
  await row(page, "note-00500.txt").waitFor();
  await page.keyboard.press("Home");
  await row(page, "note-00001.txt").waitFor();
  await page.getByRole("button", { name: "Sort descending" }).click();
  await row(page, "note-00500.txt").waitFor();
  await page.getByRole("radio", { name: "Grid" }).check();
  await tile(page, "note-00500.txt").waitFor();
  await page.getByRole("searchbox").fill("note-0033");
  await tile(page, "note-00330.txt").waitFor();
  expect(started).toEqual([]);

  // What changes is still seen.
  await fixture.seed.file("still/note-0033.txt");
  await tile(page, "note-0033.txt").waitFor();
  expect(await motionOf(tile(page, "note-0033.txt"))).toMatchObject({ opacity: "0" });
});

test("with reduced motion, rows appear and leave at once", async () => {
  await fixture.seed.file("reduced/a.txt");
  await fixture.seed.file("reduced/c.txt");
  const { holdall } = fixture.seed;
  const { page, started } = await open("reduced?view=list", { reducedMotion: true });
  await fixture.seed.file("reduced/b.txt");
  await row(page, "b.txt").waitFor();
  await holdall.files.delete((await holdall.files.getByKey("reduced/a.txt")).id);
  await row(page, "a.txt").waitFor({ state: "detached" });
  expect(await page.locator("[data-leaving] > *").count()).toBe(0);
  expect(started).toEqual([]);
});
