import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeVisits, visit } from "../../e2e/browser.ts";
import { encodePng } from "../../test/image-encoders.ts";
import { root } from "../root.ts";
import { runInstaller } from "./npm-install.ts";

/** Builds the example with Next.js, with the packages in these tarballs. Error: it does not build. */
export function buildNextExample(folder: string, tarballs: readonly string[]): void {
  cpSync(join(root, "examples/next"), folder, { recursive: true });
  const manifest = join(folder, "package.json");
  const { dependencies, ...fields } = JSON.parse(readFileSync(manifest, "utf8"));
  const published = Object.entries(dependencies).filter(([name]) => !name.startsWith("@holdall/"));
  writeFileSync(
    manifest,
    JSON.stringify({ ...fields, dependencies: Object.fromEntries(published) }),
  );
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  runInstaller(folder, "npm", ["install", ...quiet, ...tarballs]);
  runInstaller(folder, "npm", ["run", "build"]);
}

/** Uploads a picture in a browser and sees it. `env` says where Holdall is. Error: the picture does not appear. */
export async function tryNextExample(folder: string, env: Record<string, string>): Promise<void> {
  const next = join(folder, "node_modules/.bin/next");
  const app = spawn(next, ["start", "--port=0", "--hostname=127.0.0.1"], {
    cwd: folder,
    env: { ...env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  try {
    const url = await addressOf(app);
    const { page } = await visit(url);
    await page.goto(url);
    const picture = { name: "a b.png", mimeType: "image/png", buffer: Buffer.from(PICTURE) };
    await page.getByLabel("Pictures").setInputFiles(picture);
    await page.getByText("a b.png: complete").waitFor();
    const shown = page.getByRole("img", { name: "a b.png" });
    await shown.waitFor();
    const width = await shown.evaluate(async (image) => {
      if (!(image instanceof HTMLImageElement)) return 0;
      await image.decode();
      return image.naturalWidth;
    });
    if (width === 0) throw new Error("the picture is not shown");
  } finally {
    await closeVisits();
    app.kill("SIGTERM");
    if (app.exitCode === null) await once(app, "exit");
  }
}

const PICTURE = encodePng(64, 48, (x, y) => [x, y, 99]);

/** The address that the app prints. */
async function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let printed = "";
  stderr?.on("data", (text) => {
    printed += text;
  });
  for await (const text of stdout ?? []) {
    printed += text;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
    if (found !== null) return found[0];
  }
  throw new Error(`Next.js does not start:\n${printed}`);
}
