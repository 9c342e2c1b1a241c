import { existsSync } from "node:fs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of an installed Chromium. Throws an Error that says how to install one. */
export function findChromium(): string {
  const configured = process.env.CHROMIUM_PATH;
  if (configured !== undefined && existsSync(configured)) return configured;
  for (const name of NAMES) {
    const found = Bun.which(name);
    if (found !== null) return found;
  }
  throw new Error(
    "These tests need Chromium: install it (Debian: apt install chromium), or set CHROMIUM_PATH.",
  );
}
