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
import { fieldOf, startRecordingProxy } from "./recording-proxy.ts";

const PATIENCE_MS = 240_000;

interface Download {
  readonly what: string;
  readonly visibility: "public" | "private";
  /** Fractions of the file after which responses are cut. */
  readonly cuts: readonly number[];
  /** Whether the file is replaced during the download. */
  readonly isReplaced?: true;
}

const DOWNLOADS: readonly Download[] = [
  { what: "cut once", visibility: "public", cuts: [0.4] },
  { what: "cut three times", visibility: "public", cuts: [0.3, 0.2, 0.1] },
  { what: "replaced in between", visibility: "public", cuts: [0.5], isReplaced: true },
  { what: "of a private file", visibility: "private", cuts: [0.4] },
];

/**
 * Chromium's download manager resumes downloads whose connection ended early. It continues public
 * files with a range, and restarts private (no-store) and changed ones.
 */
export async function downloadInBrowser(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  if (process.env.CHROMIUM_PATH === undefined) requireTool("chromium");
  const problems: string[] = [];
  let [lost, resumed] = [0, 0];
  for (const download of DOWNLOADS) {
    const told = await downloadOnce(server, setup, download);
    if (told.isLost) lost += 1;
    resumed += told.resumed;
    if (told.problem !== undefined) problems.push(`A download ${download.what}: ${told.problem}`);
  }
  const note = `${setup.size / 1e6} MB each, gone on with ${resumed} times`;
  return { tries: DOWNLOADS.length, lost, problems, note };
}

interface AuditDetails {
  readonly isLost: boolean;
  readonly resumed: number;
  readonly problem?: string;
}

async function downloadOnce(
  server: ServerProcess,
  setup: ClientSetup,
  download: Download,
): Promise<AuditDetails> {
  const { size } = setup;
  const { visibility, cuts, isReplaced } = download;
  const first = newContent(size);
  const second = newContent(size);
  const name = `${crypto.randomUUID()}.bin`;
  const file = await api(server).put(`clients/${name}`, bytesOf(first), { visibility });
  const proxy = await startRecordingProxy(setup.url, {
    after: cuts.map((share) => Math.floor(size * share)),
    ...(isReplaced === true ? { meanwhile: () => replace(server, name, bytesOf(second)) } : {}),
  });
  const home = join(setup.folder, crypto.randomUUID());
  mkdirSync(home, { recursive: true });
  const browser = await chromium.launchPersistentContext(join(home, "profile"), {
    executablePath: browserFor(setup, home),
    // The full browser without windows: the headless shell has no download manager.
    headless: false,
    args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const page = await browser.newPage();
    const devtools = await browser.newCDPSession(page);
    const kept = join(home, "kept");
    await devtools.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: kept });
    const query = visibility === "public" ? "?download=1" : await signature(server, file.id);
    // Navigating to a download fails with this error.
    await page.goto(`${proxy.url}/${file.url}${query}`).catch(() => undefined);
    const got = await fileIn(kept, size);
    const asked = proxy.heads.filter((head) => head.includes(name));
    const resumed = asked.filter((head) => fieldOf(head, "range") !== null).length;
    if (got === undefined) return { isLost: false, resumed, problem: "it did not come." };
    if (!isContent(isReplaced === true ? second : first, got)) {
      return { isLost: true, resumed, problem: "it has other bytes." };
    }
    if (asked.length <= cuts.length) return { isLost: false, resumed, problem: "it was not cut." };
    const mayGoOn = visibility === "public";
    return mayGoOn === resumed > 0
      ? { isLost: false, resumed }
      : { isLost: false, resumed, problem: `${resumed} ranges were asked for.` };
  } finally {
    await browser.close();
    proxy.close();
  }
}

async function signature(server: ServerProcess, id: string): Promise<string> {
  const answer = await api(server).json("POST", "/api/files/sign", { id });
  return /\?[^"]+/.exec(answer.text)?.[0] ?? "";
}

async function replace(server: ServerProcess, name: string, bytes: Uint8Array): Promise<void> {
  const answer = await api(server).upload([
    field("folder", "clients"),
    field("onConflict", "replace"),
    filePart(name, bytes),
  ]);
  if (answer.status !== 200) throw new Error(`Not replaced: ${answer.text}`);
}

/** Waits for a file of this size in a folder; undefined after the timeout. */
async function fileIn(folder: string, size: number): Promise<Buffer | undefined> {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
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

/** A script that starts the browser with the command prefix of the clients. */
function browserFor({ commandPrefix = [] }: ClientSetup, home: string): string {
  const program = findChromium();
  if (commandPrefix.length === 0) return program;
  const script = join(home, "browser.sh");
  writeFileSync(script, `#!/bin/sh\nexec ${commandPrefix.join(" ")} '${program}' "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}
