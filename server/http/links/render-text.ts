import { createHash } from "node:crypto";
import type { Millis } from "../../domain/records.ts";
import { createImageChild, type ImageLimits, type TooCostly } from "../../images/image-child.ts";
import { createLaunchImageProcess } from "../../images/launch-image-process.ts";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";
import { type Markup, trusted } from "../pages/html.ts";
import { parses, plainText, type ShownText, textContent } from "./pages/text-content.ts";

/** A text as visitors see it; as it is written if everything else is too costly. */
export type RenderText = (text: ShownText) => Promise<Markup>;

export interface TextRenderer {
  readonly renderText: RenderText;
  close(): Promise<void>;
}

/** The reply of the child. */
type TextResult = { readonly markup: string } | { readonly flaw: "too deep" };

/**
 * Strangers write these texts, and the parsers of Markdown and code take minutes for some of 64 KB. So they run in a
 * process that can be ended, beside the one that serves.
 */
const LIMITS: ImageLimits = { wallMs: 10_000, cpuMs: 3_000, bytes: 400 * 1024 ** 2 };
/** Further texts are shown as they are written. */
const MAX_WAITING = 8;
const MAX_COSTLY = 5_000;
/** A text that took too long on a busy machine gets another chance. */
const BUSY_MS = 60_000;

export function createTextRenderer(started?: readonly string[]): TextRenderer {
  const child = createImageChild<ShownText, TextResult>(
    createLaunchImageProcess(started, "text-process"),
    LIMITS,
  );
  /** Until when texts with these digests are shown as they are written. */
  const costly = createTwoGenerationCache<string, Millis>(MAX_COSTLY);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function inTurn(text: ShownText): Promise<TextResult | TooCostly | "full" | "busy"> {
    if (waiting >= MAX_WAITING) return "full";
    waiting += 1;
    const turn = last.then(() => child.render(text));
    last = turn.catch(() => {});
    try {
      return await turn;
    } catch {
      // The machine is too busy, or the server stops.
      return "busy";
    } finally {
      waiting -= 1;
    }
  }

  return {
    async renderText(shown) {
      if (!parses(shown)) return textContent(shown);
      const { name } = shown.file;
      const digest = createHash("sha256").update(`${name}\0${shown.text}`).digest("base64");
      if (Date.now() < (costly.get(digest) ?? 0)) return plainText(name, shown.text);
      const result = await inTurn(shown);
      if (typeof result === "object" && "markup" in result) return trusted(result.markup);
      if (result === "busy") costly.set(digest, Date.now() + BUSY_MS, 1);
      else if (result !== "full") costly.set(digest, Number.POSITIVE_INFINITY, 1);
      return plainText(name, shown.text);
    },
    close: () => child.close(),
  };
}

/** What the child does. */
export function answerTextJob(text: ShownText): TextResult {
  try {
    return { markup: textContent(text).markup };
  } catch (error) {
    // It is nested too deeply for the stack.
    if (error instanceof RangeError) return { flaw: "too deep" };
    throw error;
  }
}
