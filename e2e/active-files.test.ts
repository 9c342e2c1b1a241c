import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api } from "../test/client.ts";
import { field, filePart } from "../test/multipart.ts";
import { type ActiveFile, type Aims, activeFiles, deedOf } from "./active-files.ts";
import { type Bed, makeBed } from "./bed.ts";

let bed: Bed;
let files: ActiveFile[];
/** What scripts reported to the attacker's server. */
const told: string[] = [];
const attacker: Bun.Server<undefined> = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const headers = { "Access-Control-Allow-Origin": "*" };
    if (pathname === "/ran") {
      told.push(searchParams.get("from") ?? "");
      return new Response("", { headers });
    }
    if (pathname === "/script.js") {
      return new Response(deedOf(aims()), {
        headers: { ...headers, "Content-Type": "text/javascript" },
      });
    }
    const file = files.find(({ name }) => `/${name}` === pathname);
    const type = file?.type ?? "text/plain";
    return new Response(Buffer.from(file?.content ?? ""), {
      headers: { ...headers, "Content-Type": type },
    });
  },
});
const aims = (): Aims => ({ told: `http://127.0.0.1:${attacker.port}`, site: bed.server.url });

beforeAll(async () => {
  bed = await makeBed();
  files = activeFiles(aims());
  for (let from = 0; from < files.length; from += 50) {
    const some = files.slice(from, from + 50);
    const parts = some.map(({ name, content, type }) => filePart(name, content, type));
    const answer = await api(bed.server).upload([field("folder", "active"), ...parts]);
    expect(answer.status).toBe(200);
  }
});
afterAll(async () => {
  await attacker.stop(true);
  await bed.discard();
});

/** A hundred page loads are slow on a busy machine. */
const LIMIT = 180_000;

async function expectNothingDone(): Promise<void> {
  // Time for a script that has started to report.
  await Bun.sleep(300);
  expect(told).toEqual([]);
  const { folders } = await api(bed.server).browse("");
  expect(folders.map(({ name }) => name)).toEqual(["active"]);
}

test("the hundred files run scripts when served without protection", async () => {
  expect(files.length).toBeGreaterThanOrEqual(100);
  const { page, close } = await bed.stranger();
  for (const name of ["page-0.html", "page-1.html", "drawing-0.svg", "page.xml"]) {
    told.length = 0;
    await page.goto(`${aims().told}/${name}`);
    for (let wait = 0; wait < 100 && told.length === 0; wait += 1) await Bun.sleep(50);
    expect([name, told.length > 0]).toEqual([name, true]);
  }
  await close();
  told.length = 0;
});

describe("an active file runs no script and changes nothing", () => {
  test(
    "when its hosting URL is opened",
    async () => {
      const rest = files.values();
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { page, close } = await bed.signedIn();
          for (const { name } of rest) {
            // Some are downloaded instead of shown.
            await page.goto(`/api/hosting/active/${name}`, { waitUntil: "load" }).catch(() => null);
          }
          await Bun.sleep(200);
          expect(page.isClosed()).toBe(false);
          await close();
        }),
      );
      await expectNothingDone();
    },
    LIMIT,
  );

  test("when a page of the same origin frames it", async () => {
    const { page, close } = await bed.signedIn();
    await page.goto(`${bed.server.url}/docs`);
    // Replaces /docs without its own policy, to test the policy of the files.
    await page.route("**/docs", (route) =>
      route.fulfill({ contentType: "text/html", body: "<p>same origin" }),
    );
    await page.goto(`${bed.server.url}/docs`);
    await page.evaluate(
      (names) => {
        for (const name of names) {
          const frame = document.createElement("iframe");
          frame.src = `/api/hosting/active/${name}`;
          document.body.append(frame);
        }
      },
      files.map(({ name }) => name),
    );
    await page.waitForLoadState("load");
    await Bun.sleep(1_000);
    await close();
    await expectNothingDone();
  });

  test(
    "when the dashboard previews it",
    async () => {
      const { page, close } = await bed.signedIn();
      await page.goto("/files/active?sort=name&dir=asc&view=list");
      await page.getByRole("row").nth(1).getByRole("link").click();
      const dialog = page.getByRole("dialog", { name: /^Preview/ });
      const seen = new Set<string>();
      for (let at = 0; at < files.length; at += 1) {
        await dialog.waitFor();
        seen.add((await dialog.getAttribute("aria-label")) ?? "");
        await Bun.sleep(30);
        await page.keyboard.press("ArrowRight");
      }
      await Bun.sleep(300);
      await close();
      expect(seen.size).toBeGreaterThan(files.length / 2);
      await expectNothingDone();
    },
    LIMIT,
  );
});
