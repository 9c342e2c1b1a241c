import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api } from "../test/client.ts";
import { eventually } from "../test/expectations.ts";
import { field, filePart } from "../test/multipart.ts";
import { type ActiveFile, type AttackTargets, activeFiles, attackScript } from "./active-files.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
let files: ActiveFile[];
/** What scripts reported to the attacker's server. */
const reports: string[] = [];
const attacker: Bun.Server<undefined> = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const headers = { "Access-Control-Allow-Origin": "*" };
    if (pathname === "/ran") {
      reports.push(searchParams.get("from") ?? "");
      return new Response("", { headers });
    }
    if (pathname === "/script.js") {
      return new Response(attackScript(targets()), {
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
const targets = (): AttackTargets => ({
  reportUrl: `http://127.0.0.1:${attacker.port}`,
  siteUrl: fixture.server.url,
});

beforeAll(async () => {
  fixture = await createBrowserFixture();
  files = activeFiles(targets());
  for (let from = 0; from < files.length; from += 50) {
    const batch = files.slice(from, from + 50);
    const parts = batch.map(({ name, content, type }) => filePart(name, content, type));
    const response = await api(fixture.server).upload([field("folder", "active"), ...parts]);
    expect(response.status).toBe(200);
  }
});
afterAll(async () => {
  await attacker.stop(true);
  await fixture.discard();
});

/** A hundred page loads are slow on a busy machine. */
const TIMEOUT_MS = 180_000;

async function expectNoEffect(): Promise<void> {
  // Time for a script that has started to report.
  await Bun.sleep(300);
  expect(reports).toEqual([]);
  const { folders } = await api(fixture.server).browse("");
  expect(folders.map(({ name }) => name)).toEqual(["active"]);
}

test("the hundred files run scripts when served without protection", async () => {
  expect(files.length).toBeGreaterThanOrEqual(100);
  const { page, close } = await fixture.anonymous();
  for (const name of ["page-0.html", "page-1.html", "drawing-0.svg", "page.xml"]) {
    reports.length = 0;
    await page.goto(`${targets().reportUrl}/${name}`);
    await eventually(`${name} runs its script`, () => reports.length > 0);
    // A report that is still under way would be taken for one of the next file.
    await page.waitForLoadState("networkidle");
  }
  await close();
  reports.length = 0;
});

describe("an active file runs no script and changes nothing", () => {
  test(
    "when its hosting URL is opened",
    async () => {
      const remaining = files.values();
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { page, close } = await fixture.signedIn();
          for (const { name } of remaining) {
            // Some are downloaded instead of shown.
            await page.goto(`/api/hosting/active/${name}`, { waitUntil: "load" }).catch(() => null);
          }
          // Time for a script that would close the page.
          await Bun.sleep(200);
          expect(page.isClosed()).toBe(false);
          await close();
        }),
      );
      await expectNoEffect();
    },
    TIMEOUT_MS,
  );

  test("when a page of the same origin frames it", async () => {
    const { page, close } = await fixture.signedIn();
    await page.goto(`${fixture.server.url}/docs`);
    // Replaces /docs without its own policy, to test the policy of the files.
    await page.route("**/docs", (route) =>
      route.fulfill({ contentType: "text/html", body: "<p>same origin" }),
    );
    await page.goto(`${fixture.server.url}/docs`);
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
    // Time for scripts in the frames.
    await Bun.sleep(1_000);
    await close();
    await expectNoEffect();
  });

  test("when injected markup makes the dashboard load it as a script", async () => {
    const { page, close } = await fixture.signedIn();
    const script = `fetch("${targets().reportUrl}/ran?from=injected")`;
    const part = filePart("injected.js", script, "text/javascript");
    await api(fixture.server).upload([field("folder", "active"), part]);
    await page.route("**/settings", async (route) => {
      const response = await route.fetch();
      const markup = '<script src="/api/hosting/active/injected.js"></script></head>';
      await route.fulfill({ response, body: (await response.text()).replace("</head>", markup) });
    });
    const refused = page.waitForEvent("console", (message) =>
      /injected\.js.*Content Security Policy/.test(message.text()),
    );
    await page.goto("/settings");
    await refused;
    await close();
    await expectNoEffect();
  });

  test("when injected markup makes the dashboard frame it", async () => {
    const { page, close } = await fixture.signedIn();
    const html = files.find(({ type }) => type === "text/html")?.name ?? "";
    expect((await fetch(`${fixture.server.url}/api/hosting/active/${html}`)).status).toBe(200);
    const policies: string[] = [];
    await page.route("**/settings", async (route) => {
      const response = await route.fetch();
      policies.push(response.headers()["content-security-policy"] ?? "");
      const markup = `<body><iframe src="/api/hosting/active/${html}"></iframe>`;
      await route.fulfill({ response, body: (await response.text()).replace("<body>", markup) });
    });
    const refused = page.waitForEvent("console", (message) =>
      /Content Security Policy.*default-src 'none'/.test(message.text()),
    );
    await page.goto("/settings");
    await refused;
    expect(policies).toEqual([expect.not.stringContaining("frame-src")]);
    await close();
    await expectNoEffect();
  });

  test("when a page asks for it as a service worker", async () => {
    const { name } = files.find(({ type }) => type === "text/javascript") ?? {
      name: "injected.js",
    };
    const url = `${fixture.server.url}/api/hosting/active/${name}`;
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url, { headers: { "Service-Worker": "script" } })).status).toBe(404);
  });

  test(
    "when the dashboard previews it",
    async () => {
      const { page, close } = await fixture.signedIn();
      await page.goto("/files/active?sort=name&dir=asc&view=list");
      await page.getByRole("row").nth(1).getByRole("link").click();
      const dialog = page.getByRole("dialog", { name: /^Preview/ });
      const seen = new Set<string>();
      for (let at = 0; at < files.length; at += 1) {
        await dialog.waitFor();
        seen.add((await dialog.getAttribute("aria-label")) ?? "");
        // Time for a script of the preview.
        await Bun.sleep(30);
        await page.keyboard.press("ArrowRight");
      }
      // Time for a script that has started to report.
      await Bun.sleep(300);
      await close();
      expect(seen.size).toBeGreaterThan(files.length / 2);
      await expectNoEffect();
    },
    TIMEOUT_MS,
  );
});
