import { API_KEY } from "../server-process.ts";

export const ADMIN = { email: "admin@example.com", password: "a password for the bench" };

/** What some clients do while others wait. Each needs the seed of 200,000 files. */
export const workloads = {
  "eight lists of everything": (url: string) => times(8, () => get(url, "/api/files")),
  "24 pages at offset 99,000": (url: string) =>
    times(24, () => get(url, "/api/files?limit=100&offset=99000")),
  "14 hard searches of 8 clients": (url: string) =>
    times(8, async () => {
      for (const pattern of HARD_PATTERNS) {
        await get(url, `/api/search?q=${encodeURIComponent(pattern)}`);
      }
    }),
  "20 replaces of 100 files": (url: string) => times(20, () => replaceFiles(url)),
  "batch deletions": (url: string) => removeFiles(url),
  "40 zips of 100 files": async (url: string) => {
    await replaceFiles(url);
    await times(40, () => get(url, `/api/folders/download?key=${FOLDER}`));
  },
  // One after another: attempts at the same time count as guesses.
  "20 sign-ins": async (url: string) => {
    for (let n = 0; n < 20; n += 1) await send(url, "POST", "/auth/sign-in", ADMIN);
  },
} as const;

export const isWorkload = (name: string): name is keyof typeof workloads => name in workloads;

const FOLDER = "replaced";

/** Each is in no name, or in none but much of every name, so that all names are compared. */
const HARD_PATTERNS = [
  ...["file-999", "no-such-name", "e-9.txtx", "file-file", "ffffffff", "-.-.-.", "txt.elif"],
  ...["niémand", "FILE-1000", "ﬁle", "tx t", "0000000000", "%%%%", "____"],
];

const times = async (count: number, work: () => Promise<unknown>): Promise<void> =>
  void (await Promise.all(Array.from({ length: count }, work)));

async function get(url: string, path: string): Promise<void> {
  const response = await fetch(`${url}${path}`, { headers: { "API-Key": API_KEY } });
  for await (const chunk of response.body ?? []) void chunk;
  if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
}

async function send(url: string, method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "API-Key": API_KEY, "Content-Type": "application/json", Origin: url },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

async function replaceFiles(url: string): Promise<void> {
  const form = new FormData();
  form.append("folder", FOLDER);
  form.append("onConflict", "replace");
  for (let file = 0; file < 100; file += 1) {
    form.append("files", new Blob([`content ${file}`]), `${file}.txt`);
  }
  const headers = { "API-Key": API_KEY };
  const response = await fetch(`${url}/api/files`, { method: "POST", headers, body: form });
  if (!response.ok) throw new Error(`The upload failed: ${await response.text()}`);
}

/** Ten batches of 500 files at once. Resolves with false if fewer files are left. */
async function removeFiles(url: string): Promise<boolean> {
  const headers = { "API-Key": API_KEY };
  const response = await fetch(`${url}/api/files?limit=5000&orderBy=createdAt&orderDirection=asc`, {
    headers,
  });
  const ids = ((await response.json()) as { data: { files: { id: string }[] } }).data.files.map(
    ({ id }) => id,
  );
  if (ids.length < 5000) return false;
  const batches = Array.from({ length: 10 }, (_, at) => ids.slice(at * 500, (at + 1) * 500));
  await Promise.all(batches.map((batch) => send(url, "DELETE", "/api/files", { ids: batch })));
  return true;
}
