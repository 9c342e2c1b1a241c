import { join } from "node:path";
import { forEachConcurrently } from "../server/lib/for-each-concurrently.ts";
import { api } from "../test/client.ts";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { field, filePart } from "../test/multipart.ts";
import { waitForNoLeftovers } from "./check-server.ts";
import { bytesOf, type Content, isPartOf, newContent } from "./content.ts";
import { chance, pickOne, randomInt } from "./random.ts";
import { type RawResponse, sendRawRequest } from "./raw-request.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { Row, Scale, Trial } from "./trial.ts";

/** Renames, deletes and replaces files during downloads: each reader must get one complete file. */
export const downloads: Trial = {
  name: "downloads",
  async run(scale) {
    const folder = temporaryFolder();
    const server = await startServer(join(folder, "data"));
    try {
      return [await disturbMany(server, scale)];
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};

const CONCURRENCY = 8;
/** Readers per file. */
const READERS = 4;
const LARGE = 50_000_000;

/** Share of the downloads that may be cut, and how many may be in a short run. */
const MAX_CUT = 0.02;
const MAX_CUT_IN_SHORT_RUN = 3;
/** Share of the downloads that must be complete; the others may find the file absent. */
const MIN_COMPLETE = 0.5;

type Outcome = "complete" | "cut" | "absent";

async function disturbMany(server: ServerProcess, scale: Scale): Promise<Row> {
  const rounds = scale.tries(250, 15);
  const counts: Record<Outcome, number> = { complete: 0, cut: 0, absent: 0 };
  const problems: string[] = [];
  let done = 0;
  await forEachConcurrently(Array(rounds).keys(), CONCURRENCY, async (at) => {
    for (const outcome of await disturb(server, `round-${at}`, at % 10 === 0)) {
      if (isOutcome(outcome)) counts[outcome] += 1;
      else problems.push(outcome);
    }
    done += 1;
    if (done % 50 === 0) scale.progress(`${done * READERS} downloads`);
  });
  const left = await waitForNoLeftovers(server.dataPath);
  if (/damage/.test(server.output()))
    problems.push(`The server reported damage: ${server.output()}`);
  const tries = rounds * READERS;
  if (counts.cut > Math.max(MAX_CUT_IN_SHORT_RUN, tries * MAX_CUT)) {
    problems.push(`${counts.cut} of ${tries} downloads were cut.`);
  }
  if (counts.complete < tries * MIN_COMPLETE) {
    problems.push(`Only ${counts.complete} of ${tries} downloads were complete.`);
  }
  return {
    fault: "rename, delete, replace during a download",
    tries,
    lost: 0,
    leftovers: left.length,
    problems: [...left, ...problems].slice(0, 20),
    note: `${counts.complete} complete, ${counts.absent} absent, ${counts.cut} cut`,
  };
}

const isOutcome = (text: string): text is Outcome =>
  text === "complete" || text === "cut" || text === "absent";

/** Uploads a file, changes it during its downloads, and returns the outcome of each download. */
async function disturb(server: ServerProcess, folder: string, isLarge: boolean): Promise<string[]> {
  const a = api(server);
  const size = isLarge ? LARGE : pickOne([randomInt(1, 3_000), randomInt(50_000, 2_000_000)]);
  const first = newContent(size);
  const second = newContent(size + pickOne([0, 1_000]));
  const put = (content: Content) =>
    a.upload([field("folder", folder), filePart("file.bin", bytesOf(content))]);
  await put(first);
  const file = (await a.browse(folder)).files[0];
  if (file === undefined) throw new Error("The uploaded file is missing.");

  const disturbance = pickOne(["rename", "delete", "replace", "replace by rename"]);
  const act = async (): Promise<void> => {
    await Bun.sleep(randomInt(0, isLarge ? 400 : 8));
    if (disturbance.includes("rename"))
      await a.json("PUT", "/api/files", { id: file.id, name: "other.bin" });
    else await a.json("DELETE", "/api/files", { id: file.id });
    if (disturbance.startsWith("replace")) await put(second);
  };
  const read = async (): Promise<string> => {
    const isByKey = chance(0.6);
    const start = randomInt(0, size);
    const range = chance(0.4) ? { start, end: randomInt(start + 1, size + 1) } : undefined;
    const pace = chance(0.5)
      ? { bytes: pickOne([10_000, 500_000]), rest: randomInt(1, 20) }
      : undefined;
    await Bun.sleep(randomInt(0, 6));
    const received = await sendRawRequest(
      `${server.url}/${isByKey ? file.url : `api/files/download/${file.id}`}`,
      {
        headers: {
          "API-Key": server.apiKey,
          ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }),
        },
        pace,
      },
    );
    const mayBeAbsent = isByKey || disturbance === "delete" || disturbance === "replace";
    const contents = isByKey && disturbance.startsWith("replace") ? [first, second] : [first];
    const outcome = judge(received, contents, range);
    if (outcome === undefined || (outcome === "absent" && !mayBeAbsent)) {
      const { status, headers, body } = received;
      return `During a ${disturbance} of ${size} bytes, ${isByKey ? "its key" : "its id"} ${JSON.stringify({ range, pace })} gave ${status} ${JSON.stringify([...headers])} and ${body.length} bytes.`;
    }
    return outcome;
  };
  const [outcomes] = await Promise.all([Promise.all(Array.from({ length: READERS }, read)), act()]);
  await a.json("DELETE", "/api/folders", { id: file.folderId });
  return outcomes;
}

/** undefined: no allowed outcome. */
function judge(
  { status, headers, body, isComplete }: RawResponse,
  contents: readonly Content[],
  range: { readonly start: number; readonly end: number } | undefined,
): Outcome | undefined {
  if (status === 0) return "cut";
  if (status === 404) return isComplete && isErrorBody(body) ? "absent" : undefined;
  if (status !== (range === undefined ? 200 : 206)) return undefined;
  const fits = contents.some((content) => {
    const { start, end } = range ?? { start: 0, end: content.size };
    const said = headers.get("content-range");
    return (
      headers.get("content-length") === String(end - start) &&
      said === (range && `bytes ${start}-${end - 1}/${content.size}`) &&
      isPartOf(content, body, start)
    );
  });
  if (!fits) return undefined;
  return isComplete ? "complete" : "cut";
}

function isErrorBody(body: Buffer): boolean {
  try {
    const { data, error } = JSON.parse(body.toString());
    return data === null && typeof error.message === "string";
  } catch {
    return false;
  }
}
