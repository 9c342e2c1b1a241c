import { defaultLimits } from "../../server/http/multipart/limits.ts";
import { readMultipart } from "../../server/http/multipart/read-multipart.ts";
import { Fault } from "../../server/rules/fault.ts";
import { type MutatedForm, mutatedForm } from "./mutated-form.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

/** The result for one form. */
export interface FuzzResult {
  readonly outcome: "read" | "refused" | "broken";
  /** The error; "" without one. */
  readonly problem: string;
}

const LIMITS = defaultLimits(100);

/**
 * Parses the form of this seed twice, in different chunks: both results must be equal, and never
 * have more bytes than the input.
 */
export async function fuzzMultipartParser(seed: number): Promise<FuzzResult> {
  const random = createSeededRandom(seed);
  const form = mutatedForm(random);
  const whole = await outcomeOf(form, chunksOf(form, undefined));
  const cut = await outcomeOf(form, chunksOf(form, random));
  if (whole.problem !== "") return whole;
  if (whole.told === cut.told) return whole;
  return { outcome: "broken", problem: `cut otherwise: ${whole.told} became ${cut.told}` };
}

async function outcomeOf(
  { contentType, body }: MutatedForm,
  chunks: AsyncIterable<Uint8Array>,
): Promise<FuzzResult & { readonly told: string }> {
  const told: string[] = [];
  let bytes = 0;
  try {
    for await (const part of readMultipart(chunks, contentType, LIMITS)) {
      let content = "";
      for await (const piece of part.body) content += Buffer.from(piece).toString("latin1");
      bytes += content.length;
      told.push(JSON.stringify([part.name, part.filename, part.type, content]));
    }
    const problem = bytes > body.length ? `${bytes} bytes were made of ${body.length}` : "";
    return { outcome: "read", problem, told: told.join() };
  } catch (error) {
    const isRefusal = error instanceof Fault && ["invalid", "too_large"].includes(error.kind);
    if (isRefusal) return { outcome: "refused", problem: "", told: error.message };
    return { outcome: "broken", problem: String(error), told: String(error) };
  }
}

/** The body in one chunk or in random chunks. The parser takes ownership of them. */
async function* chunksOf({ body }: MutatedForm, random: SeededRandom | undefined) {
  let at = 0;
  while (at < body.length) {
    const size = random === undefined ? body.length : random.int(1, random.pick([3, 30, 3_000]));
    yield Uint8Array.from(Buffer.from(body.slice(at, at + size), "latin1"));
    at += size;
  }
}
