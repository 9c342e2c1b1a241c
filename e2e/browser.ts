import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

let browser: Promise<Browser> | undefined;

/** The browser shared by all tests of the process. It ends with the process. */
export function openBrowser(): Promise<Browser> {
  // The sandbox does not work as root or in most containers; the tests open no foreign content.
  browser ??= chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
  return browser;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and warnings, including violations of the Content-Security-Policy. */
  readonly consoleErrors: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** Emulates `prefers-reduced-motion`. */
  readonly reducedMotion?: boolean;
  /** Default: British English. */
  readonly locale?: string;
  /** false: as in a browser that runs no scripts. */
  readonly scripts?: boolean;
  /** Statuses that are expected: the console's errors about them are ignored. */
  readonly expectedStatuses?: readonly number[];
  /** true: `closeVisits` leaves it open. */
  readonly isKept?: boolean;
}

const visits = new Set<Visit>();

/** Closes all visits except those that are kept. Call it after each test, because open pages keep running. */
export async function closeVisits(): Promise<void> {
  await Promise.all([...visits].map((visit) => visit.close()));
}

/** "dense": a desktop screen with two pixels for a CSS pixel. */
export type Device = "desktop" | "dense" | "phone";

export interface ContextOptions extends Pick<VisitOptions, "locale" | "scripts"> {
  readonly device?: Device;
}

/** A browser context without cookies; with touch input for a phone. */
export async function newContext(
  url: string,
  { device = "desktop", locale = "en-GB", scripts = true }: ContextOptions = {},
) {
  const isPhone = device === "phone";
  const context = await (await openBrowser()).newContext({
    baseURL: url,
    locale,
    timezoneId: "UTC",
    hasTouch: isPhone,
    isMobile: isPhone,
    deviceScaleFactor: device === "dense" ? 2 : 1,
    javaScriptEnabled: scripts,
  });
  // A busy machine needs long.
  context.setDefaultTimeout(120_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  // As in browsers without file handles: Playwright can answer only the file pickers of `<input>`.
  await context.addInitScript(() => {
    delete window.showOpenFilePicker;
    delete DataTransferItem.prototype.getAsFileSystemHandle;
  });
  return context;
}

/** Opens a page in a fresh browser context. */
export async function visit(
  url: string,
  options: VisitOptions & Pick<ContextOptions, "device"> = {},
): Promise<Visit> {
  const context = await newContext(url, options);
  return openPage(context, options, () => context.close());
}

/** Opens a page in a shared browser context, which is faster: the scripts are cached. */
export async function visitInContext(
  context: BrowserContext,
  options: VisitOptions,
): Promise<Visit> {
  const visit = await openPage(context, options, () => visit.page.close());
  // Clears what earlier visits stored, once.
  await visit.page.addInitScript(() => {
    if (window.name === "visit" || location.protocol === "about:") return;
    localStorage.clear();
    indexedDB.deleteDatabase("holdall-uploads");
    window.name = "visit";
  });
  return visit;
}

async function openPage(
  context: BrowserContext,
  {
    width = 1280,
    height = 800,
    theme = "light",
    expectedStatuses = [],
    reducedMotion = false,
    isKept = false,
  }: VisitOptions,
  dispose: () => Promise<void>,
): Promise<Visit> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: theme,
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
  });
  const consoleErrors: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (expectedStatuses.some((status) => text.includes(`status of ${status}`))) return;
    consoleErrors.push(text);
  });
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  const opened: Visit = {
    page,
    context,
    consoleErrors,
    async close() {
      visits.delete(opened);
      await dispose();
    },
  };
  if (!isKept) visits.add(opened);
  return opened;
}
