import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeVisits, visit } from "../../e2e/browser.ts";
import { removeFolder, startServer, type TestServer, temporaryFolder } from "../../test/harness.ts";
import { root } from "../root.ts";
import { npmInstall } from "../trial/npm-install.ts";
import { pack } from "./pack.ts";
import { hookLimit, pageBytes } from "./page-bytes.ts";
import { writeReactPackage } from "./react-package.ts";
import { writeSdkPackage } from "./sdk-package.ts";

/* The tarballs, installed in an empty folder beside each supported React; the app is the one of the README. */

const folder = temporaryFolder();
const readme = readFileSync(join(root, "react/README.md"), "utf8");
let tarballs: string[];
let server: TestServer;

beforeAll(async () => {
  writeSdkPackage(join(folder, "sdk"));
  await writeReactPackage(join(folder, "react"));
  tarballs = ["sdk", "react"].map((name) => pack(join(folder, name), folder));
  server = await startServer();
});
afterEach(closeVisits);
afterAll(async () => {
  await server.discard();
  removeFolder(folder);
});

/** The first block of code in this language. */
function snippet(language: string): string {
  const [, code = ""] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme) ?? [];
  return code;
}

const PAGE = `import { createRoot } from "react-dom/client";
import { StrictMode } from "react";
import { Uploads } from "./uploads.tsx";
const place = document.createElement("main");
document.body.append(place);
createRoot(place).render(<StrictMode><Uploads /></StrictMode>);
`;

/** Serves the README's component and its route. */
async function startApp(project: string, react: string) {
  npmInstall(project, [...tarballs, `react@${react}`, `react-dom@${react}`]);
  writeFileSync(join(project, "uploads.tsx"), snippet("tsx"));
  writeFileSync(join(project, "page.tsx"), PAGE);
  writeFileSync(join(project, "route.ts"), snippet("ts"));
  process.env.HOLDALL_URL = server.url;
  process.env.HOLDALL_KEY = server.apiKey;
  const { POST } = await import(join(project, "route.ts"));
  const { outputs } = await Bun.build({
    entrypoints: [join(project, "page.tsx")],
    target: "browser",
    define: { "process.env.NODE_ENV": '"development"' },
  });
  const script = await outputs[0]?.text();
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      "/": new Response('<!doctype html><body><script type="module" src="/page.js"></script>', {
        headers: { "Content-Type": "text/html" },
      }),
      "/page.js": new Response(script, { headers: { "Content-Type": "text/javascript" } }),
      "/favicon.ico": new Response(null, { status: 204 }),
      "/api/uploads": { POST },
    },
  });
}

test.each(["18.3.1", "19"])("uploads in an app of React %s", async (react) => {
  const app = await startApp(join(folder, `app-${react}`), react);
  const { page, consoleErrors } = await visit(app.url.href);
  await page.goto(app.url.href);
  const input = page.locator("input");

  await input.setInputFiles([
    { name: `a-${react}.txt`, mimeType: "text/plain", buffer: Buffer.from("first") },
    { name: `b-${react}.txt`, mimeType: "text/plain", buffer: Buffer.from("second") },
  ]);
  await page.getByText(`b-${react}.txt: complete`).waitFor();
  await page.getByText(`a-${react}.txt: complete`).waitFor();
  const stored = await fetch(`${server.url}/api/hosting/photos/b-${react}.txt`);
  expect(await stored.text()).toBe("second");

  // Cut in the middle, then chosen again after a reload.
  const large = join(folder, `large-${react}.bin`);
  const content = crypto.getRandomValues(new Uint8Array(65_536)).toBase64().repeat(400);
  writeFileSync(large, content);
  let cuts = 0;
  await page.route(/\/api\/uploads\/./, async (route) => {
    if (route.request().method() !== "PATCH" || cuts > 0) return route.continue();
    cuts += 1;
    return route.abort("connectionreset");
  });
  let created = 0;
  page.on("request", (request) => {
    if (request.url() === `${app.url.href}api/uploads`) created += 1;
  });
  // A pause before the upload has its URL leaves nothing to continue.
  const cut = page.waitForEvent("requestfailed");
  await input.setInputFiles(large);
  await cut;
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText(`large-${react}.bin: paused`).waitFor();
  await page.reload();
  await input.setInputFiles(large);
  await page.getByText(`large-${react}.bin: complete`).waitFor();
  expect(created).toBe(1);
  const sent = await fetch(`${server.url}/api/hosting/photos/large-${react}.bin`);
  expect((await sent.text()) === content).toBe(true);
  expect(consoleErrors.filter((text) => !text.includes("ERR_CONNECTION_RESET"))).toEqual([]);
  await app.stop(true);
});

test("the hook is small, and its types are declared", async () => {
  const project = join(folder, "app-19");
  const bytes = await pageBytes(project, hookLimit.lines);
  expect(bytes).toBeLessThanOrEqual(hookLimit.kilobytes * 1024);
  writeFileSync(
    join(project, "uses.ts"),
    `import { useUploads, type UploadItem } from "@holdall/react";
const { items } = useUploads({ request: async ({ name }) => name });
export const first: UploadItem | undefined = items[0];
// @ts-expect-error: it needs a request.
useUploads({});
`,
  );
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const { stdout } = Bun.spawnSync(
      [
        ...["node", join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict"],
        ...["--target", "es2022", "--lib", "es2023,dom,dom.iterable,dom.asynciterable"],
        ...["--types", "", "--module", module ?? "", "--moduleResolution", moduleResolution ?? ""],
        "uses.ts",
      ],
      { cwd: project },
    );
    expect(stdout.toString()).toBe("");
  }
});
