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

/** A new visitor, without cookies. */
export async function visit(url: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, height = 800, theme = "light", expected = [], still = false } = options;
  const context = await (await openBrowser()).newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: still ? "reduce" : "no-preference",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(15_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (expected.some((status) => text.includes(`status of ${status}`))) return;
    complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, context, complaints };
}
