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
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** Emulates `prefers-reduced-motion`. */
  readonly still?: boolean;
  /** Statuses that are expected: the console's errors about them are ignored. */
  readonly expected?: readonly number[];
}

const visits = new Set<Visit>();

/** Closes all visits. Call it after each test, because open pages keep running. */
export async function endVisits(): Promise<void> {
  await Promise.all([...visits].map((visit) => visit.close()));
}

/** A browser context without cookies; with touch input for a phone. */
export async function newProfile(url: string, device: "desk" | "phone" = "desk") {
  const isPhone = device === "phone";
  const context = await (await openBrowser()).newContext({
    baseURL: url,
    locale: "en-GB",
    timezoneId: "UTC",
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  context.setDefaultTimeout(15_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  return context;
}

/** Opens a page in a fresh browser context. */
export async function visit(url: string, options: VisitOptions = {}): Promise<Visit> {
  const context = await newProfile(url);
  return openPage(context, options, () => context.close());
}

/** Opens a page in a shared browser context, which is faster: the scripts are cached. */
export async function visitWith(context: BrowserContext, options: VisitOptions): Promise<Visit> {
  const made = await openPage(context, options, () => made.page.close());
  // Clears what earlier visits stored, once.
  await made.page.addInitScript(() => {
    if (window.name === "visit" || location.protocol === "about:") return;
    localStorage.clear();
    window.name = "visit";
  });
  return made;
}

async function openPage(
  context: BrowserContext,
  { width = 1280, height = 800, theme = "light", expected = [], still = false }: VisitOptions,
  end: () => Promise<void>,
): Promise<Visit> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: theme,
    reducedMotion: still ? "reduce" : "no-preference",
  });
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (expected.some((status) => text.includes(`status of ${status}`))) return;
    complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const made: Visit = {
    page,
    context,
    complaints,
    async close() {
      visits.delete(made);
      await end();
    },
  };
  visits.add(made);
  return made;
}
