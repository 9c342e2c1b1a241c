import { Fault } from "../../server/domain/faults/fault.ts";
import { defaultLimits } from "../../server/http/multipart/limits.ts";
import { readMultipart } from "../../server/http/multipart/read-multipart.ts";
import { type MutatedForm, mutatedForm } from "./mutated-form.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

export interface FuzzResult {
  readonly outcome: "read" | "rejected" | "broken";
  /** What went wrong; "": nothing. */
  readonly problem: string;
}

const LIMITS = defaultLimits(100);

/**
 * Parses the form of this seed twice, in one chunk and in random chunks. Both must give the same
 * parts or the same rejection, and never more bytes than the form has.
 */
export async function fuzzMultipartParser(seed: number): Promise<FuzzResult> {
  const random = createSeededRandom(seed);
  const form = mutatedForm(random);
  const whole = await parse(form, chunksOf(form, undefined));
  const chunked = await parse(form, chunksOf(form, random));
  if (whole.problem !== "") return whole;
  if (whole.output === chunked.output) return whole;
  return {
    outcome: "broken",
    problem: `in other chunks, ${whole.output} became ${chunked.output}`,
  };
}

async function parse(
  { contentType, body }: MutatedForm,
  chunks: AsyncIterable<Uint8Array>,
): Promise<FuzzResult & { readonly output: string }> {
  const parts: string[] = [];
  let bytes = 0;
  try {
    for await (const part of readMultipart(chunks, contentType, LIMITS)) {
      let content = "";
      for await (const piece of part.body) content += Buffer.from(piece).toString("latin1");
      bytes += content.length;
      parts.push(JSON.stringify([part.name, part.filename, part.type, content]));
    }
    const problem = bytes > body.length ? `${body.length} bytes became ${bytes}` : "";
    return { outcome: "read", problem, output: parts.join() };
  } catch (error) {
    const isRejection = error instanceof Fault && ["invalid", "too_large"].includes(error.kind);
    if (isRejection) return { outcome: "rejected", problem: "", output: error.message };
    return { outcome: "broken", problem: String(error), output: String(error) };
  }
}

/** The body in random chunks, or in one. Each chunk is a new array, since the parser takes ownership. */
async function* chunksOf({ body }: MutatedForm, random: SeededRandom | undefined) {
  let at = 0;
  while (at < body.length) {
    const size = random === undefined ? body.length : random.int(1, random.pick([3, 30, 3_000]));
    yield Uint8Array.from(Buffer.from(body.slice(at, at + size), "latin1"));
    at += size;
  }
}
