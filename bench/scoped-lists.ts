import { type Figure, median } from "./figure.ts";
import { API_KEY, type ServerProcess } from "./server-process.ts";

const RUNS = 101;
const MAX_RATIO = 1.2;

/** The folders of `seed` that are moved into a new folder, to be the folder of an API key. */
const SCOPES: readonly { readonly folders: number; readonly keys: readonly string[] }[] = [
  { folders: 1, keys: ["top/10/1000"] },
  { folders: 10, keys: Array.from({ length: 10 }, (_, at) => `top/20/${2000 + at}`) },
  { folders: 100, keys: ["top/30"] },
  { folders: 1000, keys: Array.from({ length: 10 }, (_, at) => `top/${40 + at}`) },
];

/**
 * A list of 100 files with an API key that is limited to a folder, as a multiple of the time of the
 * same list with a key for everything: when nothing was changed since the last one, right after a
 * change in another folder, and right after one in the folder. The files of each folder were uploaded one after another, so the newest files of the
 * instance are in other folders.
 */
export async function scopedLists(server: ServerProcess): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { folders, keys } of SCOPES) {
    const { secret: scope, restore } = await createScope(server, `scope-${folders}`, keys);
    const fileId = await lastFileId(server, scope);
    for (const orderBy of ["createdAt", "size"]) {
      const query = `/api/files?limit=100&orderBy=${orderBy}`;
      const what = `1,000,000 files: list of 100 by ${orderBy}, key for ${folders} folders`;
      const repeated = await compare(server, scope, query, async () => {});
      figures.push({ ...asRatio(repeated), what, bar: MAX_RATIO });
      const changed = await compare(server, scope, query, async (run) => {
        const folder = `changes/${orderBy}-${folders}-${run}`;
        await request(server, API_KEY, "POST", "/api/folders", { folder });
      });
      figures.push({ ...asRatio(changed), what: `${what}, after a change`, bar: MAX_RATIO });
      const inside = await compare(server, scope, query, async (run) => {
        const visibility = run % 2 === 0 ? "private" : "public";
        await request(server, API_KEY, "PUT", "/api/files", { id: fileId, visibility });
      });
      figures.push({ ...asRatio(inside), what: `${what}, after a change inside` });
    }
    await restore();
  }
  return figures;
}

/** The id of a file that is not on the first page. */
async function lastFileId(server: ServerProcess, scope: string): Promise<string> {
  const path = "/api/files?limit=1&orderBy=createdAt&orderDirection=asc";
  const list = await request<{ files: { id: string }[] }>(server, scope, "GET", path);
  const [file] = list.files;
  if (file === undefined) throw new Error("The key's folder is empty.");
  return file.id;
}

interface Found {
  readonly folder: { readonly id: string; readonly parentId: string | null };
}

interface Times {
  readonly all: number[];
  readonly scoped: number[];
}

function asRatio({ all, scoped }: Times): Omit<Figure, "what"> {
  const [one, other] = [median(scoped), median(all)];
  const note = `${one.toFixed(2)} ms, all files ${other.toFixed(2)} ms`;
  return { value: one / other, unit: "times", note };
}

/** Alternates, so that the load of the machine affects both alike. */
async function compare(
  server: ServerProcess,
  scope: string,
  query: string,
  before: (run: number) => Promise<void>,
): Promise<Times> {
  const times: Times = { all: [], scoped: [] };
  const measure = async (key: string): Promise<number> => {
    const started = performance.now();
    await request(server, key, "GET", query);
    return performance.now() - started;
  };
  for (let run = -10; run < RUNS; run += 1) {
    await before(2 * run);
    const all = await measure(API_KEY);
    await before(2 * run + 1);
    const scoped = await measure(scope);
    if (run < 0) continue;
    times.all.push(all);
    times.scoped.push(scoped);
  }
  return times;
}

/** Moves folders into a new one until `restore`. `secret` is an API key that is limited to it. */
async function createScope(
  server: ServerProcess,
  name: string,
  keys: readonly string[],
): Promise<{ readonly secret: string; restore(): Promise<void> }> {
  const folder = { folder: name };
  const made = await request<Found>(server, API_KEY, "POST", "/api/folders", folder);
  const moves: { id: string; parentId: string | null }[] = [];
  for (const key of keys) {
    const path = `/api/folders?limit=0&key=${key}`;
    const found = await request<Found>(server, API_KEY, "GET", path);
    const { id, parentId } = found.folder;
    const move = { id, parentId: made.folder.id };
    await request(server, API_KEY, "PUT", "/api/folders", move);
    moves.push({ id, parentId });
  }
  const body = { name, folder: name, actions: ["list"] };
  const created = await request<{ secret: string }>(server, API_KEY, "POST", "/api/keys", body);
  return {
    secret: created.secret,
    async restore() {
      for (const move of moves) await request(server, API_KEY, "PUT", "/api/folders", move);
    },
  };
}

async function request<Data>(
  { url }: ServerProcess,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "API-Key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}
