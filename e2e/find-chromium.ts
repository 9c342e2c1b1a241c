import { existsSync } from "node:fs";

const PLACES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser of this machine. Throws an Error that says how to get one. */
export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && existsSync(named)) return named;
  for (const name of PLACES) {
    const found = Bun.which(name);
    if (found !== null) return found;
  }
  throw new Error(
    "There is no Chromium on this machine, which these tests need: install it (Debian: apt install chromium), or name it in CHROMIUM_PATH.",
  );
}
