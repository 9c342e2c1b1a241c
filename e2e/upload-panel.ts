import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page, Request } from "playwright-core";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import type { Visit } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { type HeldRequests, holdRequests } from "./hold-requests.ts";

/** Local files to upload. */
export interface LocalFiles {
  /** Writes a file. Returns its full path. */
  file(path: string, content?: string | Uint8Array): string;
  /** A sparse file, which takes no disk space. */
  sparse(path: string, bytes: number): string;
  folder(path: string): string;
  remove(): void;
}

export function createLocalFiles(): LocalFiles {
  const root = temporaryFolder();
  const full = (path: string): string => join(root, path);
  const file: LocalFiles["file"] = (path, content = path) => {
    mkdirSync(join(full(path), ".."), { recursive: true });
    writeFileSync(full(path), content);
    return full(path);
  };
  return {
    file,
    sparse(path, bytes) {
      truncateSync(file(path, ""), bytes);
      return full(path);
    },
    folder(path) {
      mkdirSync(full(path), { recursive: true });
      return full(path);
    },
    remove: () => removeFolder(root),
  };
}

export const panel = (page: Page) => page.getByRole("region", { name: "Uploads" });

export const waitForText = (page: Page, text: string | RegExp) =>
  panel(page).getByText(text).first().waitFor();

/** Presses a button of the panel. */
export const press = (page: Page, name: string) =>
  panel(page).getByRole("button", { name, exact: true }).click();

/** Opens a new, empty folder in the dashboard. */
export async function openFolder(
  fixture: BrowserFixture,
  folder: string,
  expectedStatuses: readonly number[] = [],
): Promise<Visit> {
  await fixture.seed.holdall.folders.create(folder);
  const visit = await fixture.signedIn({ expectedStatuses, reducedMotion: true });
  await visit.page.goto(`/files/${folder}`);
  await visit.page.getByText("This folder is empty").waitFor();
  return visit;
}

/** The keys of all files and folders in a folder; keys of folders end with a slash. */
export async function keysIn({ seed }: BrowserFixture, folder: string): Promise<string[]> {
  const keys: string[] = [];
  const visit = async (key: string) => {
    const { files, folders } = await seed.holdall.folders.browse({ key });
    keys.push(...files.map((file) => file.key));
    for (const child of folders) {
      keys.push(`${child.key}/`);
      await visit(child.key);
    }
  };
  await visit(folder);
  return keys.sort();
}

const sessions = new Map<Page, CDPSession>();

/** Emulates a network that is offline or slow; `up` in bytes per second. Without options: a normal one. */
export async function network(page: Page, { offline = false, up = -1 }): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: up,
  });
}

const offsetOf = (request: Request): number =>
  request.method() === "PATCH"
    ? Number(request.headers()["upload-offset"] ?? Number.NaN)
    : Number.NaN;

/** The `Upload-Offset` of every PATCH that the page sends, in order. */
export function sentOffsets(page: Page): number[] {
  const offsets: number[] = [];
  page.on("request", (request) => {
    const offset = offsetOf(request);
    if (!Number.isNaN(offset)) offsets.push(offset);
  });
  return offsets;
}

/** Holds the forms of folders back, except the first `passed` ones. */
export function holdForms(page: Page, passed = 0): Promise<HeldRequests> {
  let forms = 0;
  return holdRequests(page, "**/api/batches/*/files", () => {
    forms += 1;
    return forms > passed;
  });
}

/**
 * Starts uploads of large files and waits until the server has a part of each and the next one is on
 * its way over a network so slow that it takes most of a minute.
 */
export async function startSlowly(
  page: Page,
  start: () => Promise<unknown>,
  files = 1,
): Promise<void> {
  const held = await holdRequests(page, "**/api/uploads/*", (request) => offsetOf(request) > 0);
  await start();
  await held.until(files);
  await network(page, { up: 300_000 });
  await held.release();
  // The first part has 8.4 MB.
  await waitForText(page, /^(8\.[5-9]|9\.\d|1\d\.\d) MB of /);
}

/** Leaves the page although uploads are running. */
export async function reload(page: Page): Promise<void> {
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
}

/** Answers the file picker that `open` opens. */
export async function choose(
  page: Page,
  open: () => Promise<unknown>,
  paths: string | readonly string[],
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await open();
  await (await chooser).setFiles(typeof paths === "string" ? paths : [...paths]);
}
