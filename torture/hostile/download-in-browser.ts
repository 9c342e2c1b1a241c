import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../../e2e/find-chromium.ts";
import { api } from "../../test/client.ts";
import { field, filePart } from "../../test/multipart.ts";
import { bytesOf, isContent, newContent } from "../content.ts";
import { requireTool } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ClientResult, ClientSetup } from "./client-setup.ts";
import { headerOf, startRecordingProxy } from "./recording-proxy.ts";

const TIMEOUT_MS = 240_000;

interface Download {
  readonly name: string;
  readonly visibility: "public" | "private";
  /** Where to cut successive responses, as fractions of the file. */
  readonly cuts: readonly number[];
  /** Replaces the file's content after the cut. */
  readonly isReplaced?: true;
}

const DOWNLOADS: readonly Download[] = [
  { name: "cut once", visibility: "public", cuts: [0.4] },
  { name: "cut three times", visibility: "public", cuts: [0.3, 0.2, 0.1] },
  { name: "replaced after a cut", visibility: "public", cuts: [0.5], isReplaced: true },
  { name: "of a private file", visibility: "private", cuts: [0.4] },
];

/**
 * Chromium retries a download whose connection closes early. It resumes public files with a range,
 * and restarts changed files and private ones, which it may not store.
 */
export async function downloadInBrowser(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  if (process.env.CHROMIUM_PATH === undefined) requireTool("chromium");
  const problems: string[] = [];
  let [lost, ranges] = [0, 0];
  for (const download of DOWNLOADS) {
    const result = await downloadOnce(server, setup, download);
    if (result.isLost) lost += 1;
    ranges += result.ranges;
    if (result.problem !== undefined) problems.push(`Download ${download.name}: ${result.problem}`);
  }
  const note = `${setup.size / 1e6} MB each, resumed ${ranges} times`;
  return { tries: DOWNLOADS.length, lost, problems, note };
}

interface DownloadResult {
  readonly isLost: boolean;
  /** The number of range requests. */
  readonly ranges: number;
  readonly problem?: string;
}

async function downloadOnce(
  server: ServerProcess,
  setup: ClientSetup,
  download: Download,
): Promise<DownloadResult> {
  const { size } = setup;
  const { visibility, cuts, isReplaced } = download;
  const first = newContent(size);
  const second = newContent(size);
  const name = `${crypto.randomUUID()}.bin`;
  const file = await api(server).put(`clients/${name}`, bytesOf(first), { visibility });
  const proxy = await startRecordingProxy(setup.url, {
    after: cuts.map((fraction) => Math.floor(size * fraction)),
    ...(isReplaced === true ? { beforeClose: () => replace(server, name, bytesOf(second)) } : {}),
  });
  const home = join(setup.folder, crypto.randomUUID());
  mkdirSync(home, { recursive: true });
  const browser = await chromium.launchPersistentContext(join(home, "profile"), {
    executablePath: browserCommand(setup, home),
    // The full browser in its headless mode: the separate headless shell has no download manager.
    headless: false,
    args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const page = await browser.newPage();
    const devtools = await browser.newCDPSession(page);
    const downloadPath = join(home, "downloads");
    await devtools.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath });
    const query = visibility === "public" ? "?download=1" : await signedQuery(server, file.id);
    // Navigation to a download always fails with an error.
    await page.goto(`${proxy.url}/${file.url}${query}`).catch(() => undefined);
    const bytes = await waitForFile(downloadPath, size);
    const requests = proxy.requestHeads.filter((head) => head.includes(name));
    const ranges = requests.filter((head) => headerOf(head, "range") !== null).length;
    if (bytes === undefined)
      return { isLost: false, ranges, problem: "it did not finish in time." };
    if (!isContent(isReplaced === true ? second : first, bytes)) {
      return { isLost: true, ranges, problem: "it has wrong bytes." };
    }
    if (requests.length <= cuts.length)
      return { isLost: false, ranges, problem: "it was not cut." };
    const shouldResume = visibility === "public";
    return shouldResume === ranges > 0
      ? { isLost: false, ranges }
      : { isLost: false, ranges, problem: `the browser requested ${ranges} ranges.` };
  } finally {
    await browser.close();
    proxy.close();
  }
}

async function signedQuery(server: ServerProcess, id: string): Promise<string> {
  const response = await api(server).json("POST", "/api/files/sign", { id });
  return /\?[^"]+/.exec(response.text)?.[0] ?? "";
}

async function replace(server: ServerProcess, name: string, bytes: Uint8Array): Promise<void> {
  const response = await api(server).upload([
    field("folder", "clients"),
    field("onConflict", "replace"),
    filePart(name, bytes),
  ]);
  if (response.status !== 200) throw new Error(`The file was not replaced: ${response.text}`);
}

/** Waits for a finished download of this size; undefined after the timeout. */
async function waitForFile(folder: string, size: number): Promise<Buffer | undefined> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    await Bun.sleep(200);
    const [name] = namesIn(folder).filter((each) => !each.endsWith(".crdownload"));
    if (name === undefined) continue;
    const bytes = readFileSync(join(folder, name));
    if (bytes.length === size) return bytes;
  }
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The path of a program that starts the browser with the setup's command prefix. */
function browserCommand({ commandPrefix = [] }: ClientSetup, home: string): string {
  const program = findChromium();
  if (commandPrefix.length === 0) return program;
  const script = join(home, "browser.sh");
  writeFileSync(script, `#!/bin/sh\nexec ${commandPrefix.join(" ")} '${program}' "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}
