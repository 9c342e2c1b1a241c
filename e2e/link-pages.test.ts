import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { encodeJpeg } from "../test/image-encoders.ts";
import { isLongForm } from "../test/long-forms.fixture.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type Visit, type VisitOptions } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { linkPageStates } from "./link-page-states.ts";
import { enterState, type PageState } from "./page-state.ts";
import { LINK_PASSWORD, PHOTOS, type SeededLinks, seedLinks } from "./seed-links.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

let fixture: BrowserFixture;
let links: SeededLinks;
beforeAll(async () => {
  fixture = await createBrowserFixture();
  links = await seedLinks(fixture);
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

const WIDTHS = [390, 1440];
// Only the names of the states are read from these, before the links exist.
const PLACEHOLDER: SeededLinks = {
  picture: "",
  video: "",
  audio: "",
  pdf: "",
  text: "",
  download: "",
  photos: "",
  mixed: "",
  empty: "",
  protected: "",
  ended: "",
  drop: "",
  dropLimits: "",
};
const STATES = linkPageStates(PLACEHOLDER).map(({ name }) => name);

async function open(path: string, options: VisitOptions = {}): Promise<Page> {
  const { page } = await fixture.anonymous(options);
  await page.goto(path);
  return page;
}

/** Asks again from here: in a page without scripts, `waitForFunction` asks only once. */
const isLoaded = (page: Page, selector: string): Promise<void> =>
  eventually(`${selector} is loaded`, () =>
    page
      .locator(selector)
      .first()
      .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
  );

describe("every page", () => {
  /* One visit for most states, because a new page for each would take most of the time. */
  let shared: Visit | undefined;
  afterAll(() => shared?.close());
  const options = { reducedMotion: true, expectedStatuses: [401, 404] };
  async function visitFor(state: PageState): Promise<Visit> {
    // A state that is faked leaves an interrupted upload behind.
    if (state.before !== undefined) return fixture.anonymous(options);
    shared ??= await fixture.anonymous({ ...options, isKept: true });
    return shared;
  }

  test.each(STATES.map((name, index) => [name, index] as const))(
    "%s has no axe violations and no console errors",
    async (name, index) => {
      const state = linkPageStates(links).find((each) => each.name === name);
      if (state === undefined) throw new Error(`There is no state ${name}.`);
      const { page, consoleErrors } = await visitFor(state);
      const before = consoleErrors.length;
      await page.emulateMedia({ colorScheme: (index >> 1) % 2 === 0 ? "light" : "dark" });
      for (const [at, width] of WIDTHS.entries()) {
        await page.setViewportSize({ width, height: 850 });
        if (at === 0) await enterState(page, state);
        else await waitUntilIdle(page);
        // The short form checks every state once: the widths alternate, and so do the themes of each.
        if (isLongForm) expect(await axeViolations(page)).toEqual([]);
        else if (index % 2 === at)
          expect(await axeViolations(page, "html", "this theme")).toEqual([]);
        const isScrolled = () => document.documentElement.scrollWidth > window.innerWidth;
        expect(await page.evaluate(isScrolled), `${width} px`).toBe(false);
      }
      expect(consoleErrors.slice(before)).toEqual([]);
    },
  );

  test.each(["picture", "photos", "mixed", "drop", "protected", "text"] as const)(
    "%s loads less than 60 KB before pictures",
    async (name) => {
      const { page } = await fixture.anonymous();
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      const types = new Map<string, string>();
      let bytes = 0;
      session.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
      session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        if (types.get(requestId) !== "Image") bytes += encodedDataLength;
      });
      await page.goto(links[name], { waitUntil: "networkidle" });
      expect(bytes).toBeGreaterThan(5_000);
      expect(bytes).toBeLessThan(60_000);
    },
  );
});

describe.each([
  ["with scripts", true],
  ["without scripts", false],
] as const)("%s", (_name, scripts) => {
  test("a picture is shown and can be downloaded", async () => {
    const page = await open(links.picture, { scripts });
    await isLoaded(page, ".stage img");
    const waiting = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    expect((await waiting).suggestedFilename()).toBe("harbour-dawn.svg");
  });

  test("the start of a text is shown as text", async () => {
    const page = await open(links.text, { scripts });
    await page.getByText("The festival opens on Friday").waitFor();
    await page.getByText("This is the start of the file").waitFor();
    await page.getByText("Available until").waitFor();
  });

  test("a folder can be walked down and up", async () => {
    const page = await open(links.mixed, { scripts });
    await page.getByRole("link", { name: /^a very long name of a folder/ }).click();
    await page.getByRole("link", { name: /^plan.txt/ }).click();
    await page.getByRole("heading", { name: "plan.txt" }).waitFor();
    await page.getByText("Hello").waitFor();
    // With scripts, the file is above its folder.
    if (scripts) await page.getByRole("button", { name: "Close" }).click();
    const crumbs = page.getByRole("navigation", { name: "Folders" });
    await crumbs.getByRole("link", { name: "Everything about the festival" }).click();
    await page.getByRole("heading", { name: "Everything about the festival" }).waitFor();
    await page.getByText('<img src=x onerror="alert(1)">.txt').waitFor();
  });

  test("the layout of a folder can be chosen", async () => {
    const page = await open(links.photos, { scripts });
    await isLoaded(page, ".gallery img");
    await page.getByRole("link", { name: "List", exact: true }).click();
    await page.getByRole("link", { name: "Download IMG_1001.svg" }).waitFor();
    expect(await page.locator(".gallery").count()).toBe(0);
  });

  test("the neighbours of a photo are one step away", async () => {
    const page = await open(`${links.photos}/IMG_1002.svg?view=1`, { scripts });
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByRole("heading", { name: "IMG_1003.svg" }).waitFor();
    await isLoaded(page, ".stage img");
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByRole("heading", { name: "IMG_1002.svg" }).waitFor();
    await page.goto(`${links.photos}/IMG_1001.svg?view=1`);
    expect(await page.getByRole("link", { name: "Previous" }).count()).toBe(0);
  });

  test("the right password opens the link, and a reload needs it no more", async () => {
    const page = await open(links.protected, { scripts, expectedStatuses: [401] });
    await page.getByLabel("Password").fill(`not ${LINK_PASSWORD}`);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("That is not the password").waitFor();
    expect(await page.content()).not.toContain("IMG_1001");
    await page.getByLabel("Password").fill(LINK_PASSWORD);
    await page.getByRole("button", { name: "Open" }).click();
    await isLoaded(page, ".gallery img");
    await page.reload();
    await isLoaded(page, ".gallery img");
  });

  test("files are sent with the form", async () => {
    const page = await open(links.dropLimits, { scripts });
    const name = scripts ? "with scripts" : "without scripts";
    await page.getByLabel("Your name").fill(name);
    await page.getByLabel("Choose files").setInputFiles([
      { name: "pier.jpg", mimeType: "image/jpeg", buffer: Buffer.from("one") },
      { name: "yard.jpg", mimeType: "image/jpeg", buffer: Buffer.from("two") },
    ]);
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.getByText("Your 2 files have arrived.").waitFor();
    const { files } = await fixture.seed.holdall.folders.browse({ key: `shared/inbox/${name}` });
    expect(files.map((file) => [file.name, file.visibility]).toSorted()).toEqual([
      ["pier.jpg", "private"],
      ["yard.jpg", "private"],
    ]);
  });
});

test("without scripts, all photos are reached page by page", async () => {
  const page = await open(links.photos, { scripts: false });
  const seen = new Set<string>();
  for (;;) {
    for (const name of await page.locator(".gallery img").evaluateAll(namesOf)) seen.add(name);
    const more = page.getByRole("link", { name: "Show more" });
    if ((await more.count()) === 0) break;
    const next = new URL((await more.getAttribute("href")) ?? "", page.url()).href;
    await more.click();
    // Until then, it is still the page before.
    await page.waitForURL(next);
  }
  expect(seen.size).toBe(PHOTOS);
});

test("with forced colors, the chosen layout has a mark", async () => {
  const page = await open(links.photos);
  await page.emulateMedia({ forcedColors: "active" });
  const colorOf = (name: string) =>
    page
      .getByRole("link", { name, exact: true })
      .evaluate((link) => [
        getComputedStyle(link).outlineStyle,
        getComputedStyle(link).outlineColor,
      ]);
  const [style, color] = await colorOf("Gallery");
  expect([style, color]).not.toContain("rgba(0, 0, 0, 0)");
  expect([style, (await colorOf("List"))[0]]).toEqual(["solid", "none"]);
});

test("with scripts, more photos load while scrolling", async () => {
  const page = await open(links.photos);
  const photos = page.locator(".gallery img");
  while ((await photos.count()) < PHOTOS) {
    // A picture far from the view is not in its tile.
    await page.locator(".gallery a").last().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2_000);
  }
  expect(new Set(await photos.evaluateAll(namesOf)).size).toBe(PHOTOS);
  await page.getByRole("link", { name: "Show more" }).waitFor({ state: "detached" });
});

test("the arrow keys show the neighbours of a photo", async () => {
  const page = await open(`${links.photos}/IMG_1002.svg?view=1`);
  // Before the script of a page runs, it knows no keys.
  await page.waitForLoadState("load");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "IMG_1003.svg" }).waitFor();
  await page.waitForLoadState("load");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: "IMG_1002.svg" }).waitFor();
});

test("a photo opens above its gallery, is paged through as one step of the history, and closed", async () => {
  const page = await open(links.photos);
  await isLoaded(page, ".gallery img");
  await page.getByRole("img", { name: "IMG_1012.svg" }).click();
  const lightbox = page.locator("dialog.lightbox");
  await lightbox.getByRole("heading", { name: "IMG_1012.svg" }).waitFor();
  await lightbox.getByText("12 of 300").waitFor();
  expect(page.url()).toEndWith("/IMG_1012.svg?view=1");
  await isLoaded(page, "dialog .stage img");
  for (const at of [13, 14]) {
    await page.keyboard.press("ArrowRight");
    await lightbox.getByText(`${at} of 300`).waitFor();
  }
  await lightbox.getByRole("link", { name: "IMG_1016.svg" }).click();
  await lightbox.getByText("16 of 300").waitFor();
  await isLoaded(page, "dialog .stage img");
  await page.goBack();
  await lightbox.waitFor({ state: "hidden" });
  expect(new URL(page.url()).pathname).toBe(links.photos);

  await page.goForward();
  await lightbox.getByText("16 of 300").waitFor();
  await page.keyboard.press("Escape");
  await lightbox.waitFor({ state: "hidden" });
  expect(new URL(page.url()).pathname).toBe(links.photos);
  expect(await page.locator(".gallery img").count()).toBeGreaterThan(90);
});

test.each([true, false])(
  "some photos are downloaded as a zip, with scripts: %p",
  async (scripts) => {
    const page = await open(links.photos, { scripts });
    await isLoaded(page, ".gallery img");
    for (const name of ["IMG_1002.svg", "IMG_1003.svg"]) {
      await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    }
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: scripts ? "Download 2" : "Download selected" }).click();
    expect((await waiting).suggestedFilename()).toBe("files.zip");
  },
);

test("a picture that cannot be shown has its name in the gallery", async () => {
  const { seed } = fixture;
  const { id } = await seed.holdall.folders.create("broken pictures");
  await seed.file("broken pictures/harbour.jpg", "no picture");
  const { url } = await seed.holdall.links.create({ folderId: id });
  const page = await open(`/${url}?view=grid`);
  const tile = page.locator(".gallery .broken");
  await tile.waitFor();
  expect(await tile.evaluate((element) => getComputedStyle(element, "::after").content)).toBe(
    '"harbour.jpg cannot be shown"',
  );
  expect(await tile.locator("img").isVisible()).toBe(false);
});

test("a picture without its end says so in a gallery and above it, a complete gray one does not", async () => {
  const { seed } = fixture;
  const photo = await encodeJpeg(1200, 800, (x, y) => [(x / 5) % 256, (y / 4) % 256, 100]);
  await seed.file("cut pictures/cut.jpg", new Uint8Array(photo.subarray(0, photo.length / 2)));
  await seed.file("cut pictures/gone.jpg", new Uint8Array(photo.subarray(0, 700)));
  const gray = await encodeJpeg(1200, 800, () => [128, 128, 128]);
  await seed.file("cut pictures/gray.jpg", new Uint8Array(gray));
  const film = Buffer.alloc(100_000, "a film after the picture");
  await seed.file("cut pictures/filmed.jpg", new Uint8Array(Buffer.concat([gray, film])));
  await seed.file("cut pictures/whole.jpg", new Uint8Array(photo));
  const { folder } = await seed.holdall.folders.browse({ key: "cut pictures" });
  const { url } = await seed.holdall.links.create({ folderId: folder.id });
  const page = await open(`/${url}?view=grid`);
  const words = "This picture is damaged: its end is missing.";
  const tile = (name: string) => page.locator(`.gallery a[title="${name}"]`);
  for (const name of ["cut.jpg", "gone.jpg"]) await tile(name).getByText(words).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByText(words).count()).toBe(2);
  await tile("cut.jpg").click();
  await page.locator("dialog .stage").getByText(words).waitFor();
});

test.each([
  [844, 390],
  [390, 844],
])("the bar of a PDF is in view at %d × %d", async (width, height) => {
  const page = await open(links.pdf, { width, height });
  await page.locator(".pdf-page[data-drawn]").first().waitFor();
  const box = await page.locator(".pdf-bar").boundingBox();
  expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
});

test("a PDF is shown page by page, and its text can be selected", async () => {
  const { page, consoleErrors } = await fixture.anonymous();
  await page.goto(links.pdf);
  await page.locator(".pdf-page[data-drawn]").first().waitFor();
  await page.getByText("1 / 12").waitFor();
  await page.getByRole("region", { name: /^Pages of annual-report-2025.pdf/ }).focus();
  await page.keyboard.press("End");
  await page.getByText("12 / 12").waitFor();
  await page
    .locator('.pdf-page[aria-label="Page 12 of 12"][data-drawn] .pdf-text span')
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Open" }).waitFor();
  expect(consoleErrors).toEqual([]);
});

test.each([
  ["broken.pdf", "%PDF-1.4 broken", "This document cannot be shown here.", ["Open", "Download"]],
  ["broken.mp4", "no film", "This film cannot be played here.", ["Download"]],
  ["broken.wav", "no sound", "This recording cannot be played here.", ["Download"]],
] as const)("the page of %s says that it does not work", async (name, content, text, links) => {
  const { seed } = fixture;
  await seed.file(`broken files/${name}`, content);
  const { id } = await seed.holdall.files.getByKey(`broken files/${name}`);
  const { url } = await seed.holdall.links.create({ fileId: id });
  const page = await open(`/${url}`);
  await page.getByRole("status").filter({ hasText: text }).waitFor();
  for (const link of links) await page.getByRole("link", { name: link, exact: true }).waitFor();
  expect(await page.locator("video, audio").count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
});

test("code is shown, also if its media type is unknown, and folders say what is in them", async () => {
  const { seed } = fixture;
  await seed.file("code/app.tsx", "export const App = () => <main />;\n");
  await seed.file("code/deep/deeper/main.rs", "fn main() {}\n");
  await seed.holdall.folders.create("code/plans/2026");
  const { folder } = await seed.holdall.folders.browse({ key: "code" });
  const { url } = await seed.holdall.links.create({ folderId: folder.id });
  const page = await open(`/${url}?view=list`);
  await page.getByRole("link", { name: "plans 1 folder" }).waitFor();
  await page.getByRole("link", { name: "deep 1 file" }).waitFor();
  await page.getByRole("link", { name: /^app\.tsx/ }).click();
  await page.getByText("export const App").waitFor();
});

test("Markdown is rendered, without scripts, too", async () => {
  const page = await open(links.text, { scripts: false });
  await page.getByRole("heading", { name: "Notes for the press", level: 2 }).waitFor();
  await page.getByRole("link", { name: "Source" }).click();
  await page.getByText("# Notes for the press").waitFor();
});

test("Escape on the page of a photo leads to its folder", async () => {
  const page = await open(`${links.photos}/IMG_1002.svg?view=1`);
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Harbour festival 2026" }).waitFor();
});

test("a visit does not end or change the session of the dashboard", async () => {
  const { page, context } = await fixture.signedIn();
  const before = (await context.cookies()).find(({ name }) => name.includes("session"));
  await page.goto(links.photos);
  await isLoaded(page, ".gallery img");
  const cookies = await context.cookies(`${fixture.server.url}${links.photos}`);
  expect(cookies.find(({ name }) => name.includes("session"))).toEqual(before);
  expect(cookies.find(({ name }) => name === "holdall-link")?.path).toBe(links.photos);
  await page.goto("/files");
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(page.url()).toEndWith("/files");
});

test("the page of a missing file has the styles and the colors of the others, in its sandbox", async () => {
  const { settings } = fixture.seed.holdall;
  const medallionOf = async (page: Page) =>
    page.locator(".medallion").evaluate((element) => {
      const { borderRadius, color } = getComputedStyle(element);
      return { borderRadius, color };
    });
  const { page: plain, consoleErrors } = await fixture.anonymous({ expectedStatuses: [404] });
  await plain.goto("/api/hosting/missing.txt", { waitUntil: "networkidle" });
  expect(consoleErrors).toEqual([]);
  expect(await plain.evaluate(() => globalThis.origin)).toBe("null");
  const ended = await medallionOf(await open("/s/missing"));
  expect(ended.borderRadius).not.toBe("0px");
  expect(await medallionOf(plain)).toEqual(ended);
  await settings.change({ accentColor: "#d02060" });
  const colored = await medallionOf(await open("/api/hosting/missing.txt"));
  expect(colored.color).not.toBe(ended.color);
  await settings.change({ accentColor: null });
});

const namesOf = (images: Element[]): string[] =>
  images.map((image) => image.getAttribute("alt") ?? "");
