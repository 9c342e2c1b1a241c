import { createHash } from "node:crypto";
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

export function createTextRenderer(started?: readonly string[], limits = LIMITS): TextRenderer {
  const child = createImageChild<ShownText, TextResult>(
    createLaunchImageProcess(started, "text-process"),
    limits,
  );
  /** Digests of texts that were too costly. */
  const costly = createTwoGenerationCache<string, true>(MAX_COSTLY);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  /** undefined: the machine is too busy, or the server stops. */
  async function inTurn(text: ShownText): Promise<TextResult | TooCostly | undefined> {
    if (waiting >= MAX_WAITING) return undefined;
    waiting += 1;
    const turn = last.then(() => child.render(text));
    last = turn.catch(() => {});
    try {
      return await turn;
    } catch {
      return undefined;
    } finally {
      waiting -= 1;
    }
  }

  return {
    async renderText(shown) {
      if (!parses(shown)) return textContent(shown);
      const { name } = shown.file;
      const digest = createHash("sha256").update(`${name}\0${shown.text}`).digest("base64");
      if (costly.get(digest) !== undefined) return plainText(name, shown.text);
      const result = await inTurn(shown);
      if (result !== undefined && "markup" in result) return trusted(result.markup);
      if (result !== undefined) costly.set(digest, true, 1);
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
