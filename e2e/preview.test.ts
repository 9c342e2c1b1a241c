import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { encodeJpeg, encodePng } from "../test/image-encoders.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type VisitOptions } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { holdRequests } from "./hold-requests.ts";
import { landscapeSvg } from "./landscape-svg.ts";
import { previewOf, visitPreview } from "./preview-page.ts";
import { createPdf, createWav, recordVideo } from "./sample-media.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;

const ACTIVE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>top.ran = 1; alert(1)</script><rect width="40" height="40" fill="red" onload="top.ran = 1"/></svg>';
const MARKDOWN = `# Hello

Some **bold** text, a [link](https://example.com/), a [bad one](javascript:alert(1)) and \`code\`.

<img src=x onerror="window.ran = 1"><script>window.ran = 1</script>

![beside](./a.svg) ![far](https://example.com/track.png)

- [x] done
- [ ] open

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const answer: number = 42;
\`\`\`
`;

beforeAll(async () => {
  fixture = await createBrowserFixture();
  const { seed } = fixture;
  await seed.file("all/a.svg", landscapeSvg(1), "private");
  await seed.file("all/active.svg", ACTIVE);
  await seed.file("all/data.bin", new Uint8Array(2_000));
  await seed.file("all/doc.pdf", createPdf(12), "private");
  await seed.file("all/long.txt", "0123456789abcdef\n".repeat(40_000));
  await seed.file("all/notes.md", MARKDOWN);
  await seed.file("all/page.html", "<script>window.ran = 1</script><h1>Hi</h1>");
  await seed.file(
    "all/script.ts",
    'const name = "value"; // said\nexport function run(): number { return 1; }\n',
  );
  await seed.file("all/tone.wav", createWav(), "private");
  const { page, close } = await fixture.anonymous();
  await page.goto(`${fixture.server.url}/sign-in`);
  await seed.file("all/film.webm", await recordVideo(page), "private");
  await close();
});
afterAll(() => fixture.discard());

const dialog = (page: Page) => page.getByRole("dialog", { name: /^Preview/ });
const shown = (page: Page, name: string) =>
  page.getByRole("dialog", { name: `Preview of ${name}`, exact: true }).waitFor();

async function open(name: string, options: VisitOptions = {}) {
  const visit = await fixture.signedIn({ ...options, expectedStatuses: [404] });
  const { page } = visit;
  await page.goto("/files/all?sort=name&dir=asc&view=list");
  await page.getByRole("row", { name }).getByRole("link").click();
  await shown(page, name);
  return visit;
}

const ran = (page: Page) => page.evaluate(() => Reflect.get(window, "ran"));

describe("the preview", () => {
  test("is in the URL: back closes it, a shared link opens it, arrow keys step", async () => {
    const { page, consoleErrors } = await open("a.svg");
    const link = page.url();
    expect(link).toContain("file=");
    await page.keyboard.press("ArrowRight");
    await shown(page, "active.svg");
    await page.keyboard.press("ArrowLeft");
    await shown(page, "a.svg");
    await page.goBack();
    await dialog(page).waitFor({ state: "detached" });
    expect(page.url()).not.toContain("file=");

    await page.goto(link);
    await shown(page, "a.svg");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    expect(page.url()).toEndWith("/files/all?sort=name&dir=asc&view=list");
    expect(consoleErrors).toEqual([]);
  });

  test("zooms an image by keys and wheel, and pans it", async () => {
    const { page, consoleErrors } = await open("a.svg");
    await dialog(page).getByText("71%").waitFor();
    await page.keyboard.press("+");
    await dialog(page).getByText("107%").waitFor();
    await page.keyboard.press("0");
    await dialog(page).getByText("71%").waitFor();
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -300);
    await dialog(page).getByText("193%").waitFor();
    await page.keyboard.press("+");
    await dialog(page).getByText("290%").waitFor();
    const image = dialog(page).getByRole("img", { name: "a.svg" });
    const before = await image.boundingBox();
    await page.keyboard.press("ArrowLeft");
    await eventually("it has moved", async () => (await image.boundingBox())?.x !== before?.x);
    expect(consoleErrors).toEqual([]);
  });

  test("plays private video and audio, and seeks", async () => {
    const { page, consoleErrors } = await open("film.webm");
    await page.waitForFunction(
      () => (document.querySelector("dialog video")?.clientWidth ?? 0) > 200,
    );
    await page.evaluate(async () => {
      const video = document.querySelector("dialog video");
      if (video instanceof HTMLVideoElement) {
        video.muted = true;
        await video.play();
      }
    });
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("row", { name: "tone.wav" }).getByRole("link").click();
    await page.waitForFunction(() => {
      const audio = document.querySelector("audio");
      return audio !== null && audio.duration > 0.9;
    });
    await page.evaluate(() => {
      const audio = document.querySelector("audio");
      if (audio !== null) audio.currentTime = 0.5;
    });
    await page.waitForFunction(() => document.querySelector("audio")?.seeking === false);
    expect(consoleErrors).toEqual([]);
  });

  test("draws PDF pages as they come into view, with accessible text", async () => {
    const { page, consoleErrors } = await open("doc.pdf");
    await page.locator("[data-drawn]").first().waitFor();
    await dialog(page).getByText("Page 1", { exact: true }).waitFor({ state: "attached" });
    expect(await page.locator("dialog canvas").count()).toBeLessThan(6);
    await dialog(page).getByRole("group", { name: "Page 12 of 12" }).scrollIntoViewIfNeeded();
    await dialog(page).getByText("Page 12", { exact: true }).waitFor({ state: "attached" });
    expect(consoleErrors).toEqual([]);
  });

  test("loads text in chunks and highlights code", async () => {
    const { page, consoleErrors } = await open("long.txt");
    await dialog(page).getByText("Showing the first part of 680 KB.").waitFor();
    const length = () =>
      page.evaluate(() => document.querySelector("dialog code")?.textContent?.length);
    await eventually("the first part is shown", async () => (await length()) === 256 * 1024);
    await dialog(page).getByRole("button", { name: /more$/ }).click();
    await page.waitForFunction(
      () => (document.querySelector("dialog code")?.textContent?.length ?? 0) > 500_000,
    );
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: "script.ts" }).getByRole("link").click();
    await dialog(page).locator("code .text-kind-video", { hasText: "const" }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("renders Markdown without running its HTML or loading external content", async () => {
    const { page, consoleErrors } = await open("notes.md");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await dialog(page).getByRole("heading", { name: "Hello" }).waitFor();
    await dialog(page).getByRole("cell", { name: "2" }).waitFor();
    await dialog(page).getByText("External image blocked: far").waitFor();
    expect(await dialog(page).getByRole("link", { name: "bad one" }).count()).toBe(0);
    expect(await dialog(page).getByRole("img", { name: "beside" }).count()).toBe(1);
    await dialog(page).getByText("Source").click();
    await dialog(page).getByText("# Hello").waitFor();
    expect(requests.filter((url) => !url.startsWith(fixture.server.url))).toEqual([]);
    expect(await ran(page)).toBeUndefined();
    expect(consoleErrors).toEqual([]);
  });

  test("runs no uploaded script: SVG is an image, HTML is text", async () => {
    const { page, consoleErrors } = await open("active.svg");
    await dialog(page).getByRole("img", { name: "active.svg" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: "page.html" }).getByRole("link").click();
    await dialog(page).getByText("window.ran").first().waitFor();
    expect(await page.locator("iframe, object, embed").count()).toBe(0);
    expect(await ran(page)).toBeUndefined();
    expect(consoleErrors).toEqual([]);
  });

  test("shows details of other files, and can rename and delete", async () => {
    await fixture.seed.file("change/a.bin", new Uint8Array(10));
    await fixture.seed.file("change/b.bin", new Uint8Array(10));
    const { page, consoleErrors } = await fixture.signedIn();
    await page.goto("/files/change?sort=name&dir=asc&view=list");
    await page.getByRole("row", { name: "a.bin" }).getByRole("link").click();
    await dialog(page).getByText("application/octet-stream").waitFor();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Name" }).fill("a2.bin");
    await page.keyboard.press("Enter");
    await shown(page, "a2.bin");
    await page.getByRole("dialog", { name: "Rename" }).waitFor({ state: "detached" });
    await page.keyboard.press("Delete");
    await shown(page, "b.bin");
    await dialog(page).getByText("Moved “a2.bin” to the trash.").first().waitFor();
    await page.keyboard.press("Control+z");
    await dialog(page).getByText("Restored “a2.bin” to “change”.").first().waitFor();
    await dialog(page).getByRole("button", { name: "Previous" }).click();
    await shown(page, "a2.bin");
    expect(consoleErrors).toEqual([]);
  });

  test("gets a key that is pressed right after a dialog has closed", async () => {
    await fixture.seed.file("keys/a.bin", new Uint8Array(10));
    const { page } = await fixture.signedIn();
    await page.goto("/files/keys?sort=name&dir=asc&view=list");
    await page.getByRole("row", { name: "a.bin" }).getByRole("link").click();
    await dialog(page).getByText("application/octet-stream").waitFor();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Name" }).fill("a2.bin");
    // Earlier than any key that the test could press: before the next frame.
    await page.evaluate(() => {
      const renaming = document.activeElement?.closest("dialog");
      const observer = new MutationObserver(() => {
        if (renaming?.isConnected === true) return;
        observer.disconnect();
        document.activeElement?.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Delete", bubbles: true, cancelable: true }),
        );
      });
      observer.observe(document.body, { childList: true });
    });
    await page.keyboard.press("Enter");
    await page.getByText("Moved “a2.bin” to the trash.").first().waitFor();
  });

  test("has no axe violations with video, audio and PDF", async () => {
    const { page } = await fixture.signedIn({ reducedMotion: true });
    for (const name of ["film.webm", "tone.wav", "doc.pdf"]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto("/files/all?sort=name&dir=asc&view=list");
      await page.getByRole("row", { name }).getByRole("link").click();
      await shown(page, name);
      if (name === "doc.pdf") await page.locator("[data-drawn]").first().waitFor();
      expect(await axeViolations(page, "dialog[data-preview]")).toEqual([]);
      await page.setViewportSize({ width: 360, height: 800 });
      await waitUntilIdle(page);
      expect(await axeViolations(page, "dialog[data-preview]", "all but contrast")).toEqual([]);
    }
  });
});

test("buttons of a wide preview that show their label have no tooltip", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true, width: 1024 });
  await page.goto("/files/all?sort=name&dir=asc&view=list");
  await page.getByRole("row", { name: "tone.wav" }).getByRole("link").click();
  await shown(page, "tone.wav");
  await page.evaluate(() => {
    const tooltips: (string | null)[] = [];
    Reflect.set(window, "tooltips", tooltips);
    const note = (event: Event) => {
      if (event instanceof ToggleEvent && event.newState === "open" && event.target instanceof Node)
        tooltips.push(event.target.textContent);
    };
    document.addEventListener("beforetoggle", note, true);
  });
  /** Moves the focus, and returns the tooltips so far. */
  const move = async (key: string) => {
    await page.keyboard.press(key);
    // The tooltip of the focused element is shown by now.
    return page.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve));
      return String(Reflect.get(window, "tooltips"));
    });
  };
  const download = dialog(page).getByRole("button", { name: "Download", exact: true });
  await download.press("Shift+Tab");
  const narrow = await move("Tab");
  expect(narrow).toEndWith("Download");
  await page.setViewportSize({ width: 1440, height: 800 });
  await download.getByText("Download").waitFor();
  await move("Shift+Tab");
  const before = await move("Tab");
  expect(before.split("Download").length).toBe(narrow.split("Download").length);
  expect(await move("Tab")).toMatch(/Copy [^,]+$/);
});

test("the grid shows thumbnails", async () => {
  const { page, consoleErrors } = await fixture.signedIn();
  await page.goto("/files/all?sort=name&dir=asc&view=grid");
  await page.locator("[role=gridcell] canvas:not(.opacity-0)").waitFor();
  await page.locator("[role=gridcell] video:not(.opacity-0)").waitFor();
  await page.getByRole("gridcell", { name: "script.ts" }).getByText("const name").waitFor();
  expect(await ran(page)).toBeUndefined();
  expect(consoleErrors).toEqual([]);
});

test("in place of a deleted file, the preview offers its folder and the trash", async () => {
  await fixture.seed.file("gone/a.txt");
  await fixture.seed.file("gone/b.txt");
  const { files } = fixture.seed.holdall;
  const { id } = await files.getByKey("gone/a.txt");
  await files.delete([{ key: "gone/a.txt" }]);
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [404] });
  await page.goto(`/files/gone?file=${id}`);
  await page.getByRole("heading", { name: "This file no longer exists" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Show its folder" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goto(`/files/gone?file=${id}`);
  await page.getByRole("button", { name: "Look in the trash" }).click();
  await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
});

test("says so when the file in the preview is deleted elsewhere, and shows the next one", async () => {
  for (const name of ["a.txt", "b.txt", "c.txt"]) await fixture.seed.file(`vanishing/${name}`);
  const { page } = await visitPreview(fixture, "vanishing/a.txt");
  const { files } = fixture.seed.holdall;
  await files.delete([{ key: "vanishing/a.txt" }]);
  const notice = page.getByText("was moved or deleted.");
  await notice.filter({ hasText: "a.txt" }).first().waitFor();
  await previewOf(page, "b.txt").waitFor();
  await page.keyboard.press("Delete");
  await previewOf(page, "c.txt").waitFor();
  await page
    .getByText(/Moved .*b\.txt.* to the trash/)
    .first()
    .waitFor();
  expect(await notice.filter({ hasText: "b.txt" }).count()).toBe(0);
});

test("a deletion is the user's own, also after a look at another file while it runs", async () => {
  for (const name of ["a.txt", "b.txt", "c.txt"]) await fixture.seed.file(`slow/${name}`);
  const { page } = await visitPreview(fixture, "slow/b.txt");
  const deletion = await holdRequests(page, "**/api/files", (sent) => sent.method() === "DELETE");
  await page.keyboard.press("Delete");
  await deletion.until(1);
  await page.keyboard.press("ArrowRight");
  await previewOf(page, "c.txt").waitFor();
  await page.keyboard.press("ArrowLeft");
  await previewOf(page, "b.txt").waitFor();
  await deletion.release();
  await page
    .getByText(/Moved .*b\.txt.* to the trash/)
    .first()
    .waitFor();
  await previewOf(page, "c.txt").waitFor();
  expect(await page.getByText("was moved or deleted.").count()).toBe(0);
});

test("says so too after the user has only looked at where the file could go", async () => {
  for (const name of ["a.txt", "b.txt"]) await fixture.seed.file(`cancelled/${name}`);
  const { page } = await visitPreview(fixture, "cancelled/a.txt");
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name: /^Move/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Move/ });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await fixture.seed.holdall.files.delete([{ key: "cancelled/a.txt" }]);
  await page.getByText("was moved or deleted.").filter({ hasText: "a.txt" }).first().waitFor();
});

test("says of a damaged picture that it is damaged", async () => {
  const whole = await encodeJpeg(200, 150, (x, y) => [(x * y) % 256, 90, 120]);
  await fixture.seed.file("damaged/cut.jpg", new Uint8Array(whole).slice(0, whole.length / 2));
  await fixture.seed.file("damaged/whole.jpg", new Uint8Array(whole));
  const png = encodePng(200, 150, (x, y) => [(x * y) % 256, 90, 120]);
  await fixture.seed.file("damaged/cut.png", new Uint8Array(png).slice(0, png.length / 2));
  await fixture.seed.file("damaged/whole.png", new Uint8Array(png));
  const { page } = await visitPreview(fixture, "damaged/cut.jpg");
  const notice = page.getByText("This picture is damaged: its end is missing.");
  await notice.waitFor();
  await page.keyboard.press("ArrowRight");
  await previewOf(page, "cut.png").waitFor();
  await notice.waitFor();
  await page.keyboard.press("ArrowRight");
  await previewOf(page, "whole.jpg").waitFor();
  await notice.waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await previewOf(page, "whole.png").locator("[data-content] img").waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>("dialog [data-content] img")?.complete === true,
  );
  expect(await notice.count()).toBe(0);
});
