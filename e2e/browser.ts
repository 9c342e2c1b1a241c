import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

let browser: Promise<Browser> | undefined;

/** One browser for all tests of the process. It is ended with it. */
export function openBrowser(): Promise<Browser> {
  // Its sandbox does not work for root and in most containers; nothing foreign is opened in it.
  browser ??= chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
  return browser;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Everything that the console complained of, the policy's refusals among it. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** Nothing moves. */
  readonly still?: boolean;
  /** The answer with this status is expected, and the console's line about it too. */
  readonly expected?: readonly number[];
}

const visits = new Set<Visit>();

/** Ends all visits, after each test: pages that are left open go on working. */
export async function endVisits(): Promise<void> {
  await Promise.all([...visits].map((visit) => visit.close()));
}

/** A browser profile without cookies. A finger is the pointer where it is a phone's. */
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

/** A visitor who has never been here before. */
export async function visit(url: string, options: VisitOptions = {}): Promise<Visit> {
  const context = await newProfile(url);
  return openPage(context, options, () => context.close());
}

/** A visit with a profile that others have had, which makes it quicker: the scripts are there. */
export async function visitWith(context: BrowserContext, options: VisitOptions): Promise<Visit> {
  const made = await openPage(context, options, () => made.page.close());
  // What earlier visits chose is forgotten, once.
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
