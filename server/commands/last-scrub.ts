import type { Catalog } from "../catalog/port/catalog.ts";
import type { StoredSettings } from "../catalog/port/credentials.ts";
import { timestamp } from "../domain/timestamp.ts";
import { readScrub, uncheckedFindings } from "../files/verify/scrub-state.ts";
import { escapeControlCharacters } from "../terminal/escape-control-characters.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { number } from "./verify-report.ts";

/**
 * Prints the last background scrub. Returns the number of its findings, plus the findings of the previous
 * scrub in files that this one has not checked yet. Error: no scrub has run yet.
 */
export async function lastScrub(
  catalog: StoredSettings & Pick<Catalog, "storedTotals">,
  json: boolean,
  { line }: Terminal,
): Promise<number> {
  const state = await readScrub(catalog);
  if (state === undefined) {
    throw new Error("there has been no scrub yet: the server makes one every SCRUB_EVERY.");
  }
  const earlier = uncheckedFindings(state);
  if (json) {
    const { earlier: _, position, previous, requested, ...shown } = state;
    await line(JSON.stringify({ type: "scrub", ...shown, earlier }));
    return state.found + earlier;
  }
  const { files: all } = await catalog.storedTotals();
  const end =
    state.finishedAt === null
      ? `in progress, ${number(state.files)} of ${number(all)} files so far`
      : `finished ${timestamp(state.finishedAt)}, ${number(state.files)} files`;
  await line(`Last scrub: started ${timestamp(state.startedAt)}, ${end}.`);
  await line(`${number(state.bytes)} bytes read, ${number(state.found)} findings.`);
  if (earlier > 0) {
    await line(`Findings of the scrub before that are not checked again yet: ${number(earlier)}.`);
  }
  for (const { type, id, key, place, reason } of state.findings) {
    const what = `${key ?? "a file in no folder"}${reason === undefined ? "" : `: ${reason}`}`;
    await line(`${type.padEnd(7)}  ${place}  ${id}  ${escapeControlCharacters(what)}`);
  }
  return state.found + earlier;
}
