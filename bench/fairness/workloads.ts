import { API_KEY } from "../server-process.ts";

export const ADMIN = { email: "admin@example.com", password: "a password for the bench" };

/** What some clients do while others wait. Each needs the seed of 200,000 files. */
export const workloads = {
  /** The figures of the others say what they add to these. */
  nothing: () => Bun.sleep(100),
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
  "300 pages of a shared folder at once": async (url: string) => {
    await floodPages(url, 300);
  },
  "2,000 pages of a shared folder at once": async (url: string) => {
    await floodPages(url, 2000);
  },
  "290 lists of 1,000 files at once": (url: string) => flood(290, url, "/api/files?limit=1000"),
  "290 hard searches at once": (url: string) => flood(290, url, "/api/search?q=ffffffff"),
  "400 sign-ins at once": async (url: string) => {
    const attempt = { ...ADMIN, password: "wrong" };
    await times(400, () => send(url, "POST", "/auth/sign-in", attempt).catch(() => undefined));
  },
  "changes that 1,000 webhooks receive": (url: string) => changeForWebhooks(url),
  // One after another: attempts at the same time count as guesses.
  "20 sign-ins": async (url: string) => {
    for (let n = 0; n < 20; n += 1) await send(url, "POST", "/auth/sign-in", ADMIN);
  },
} as const;

export const isWorkload = (name: string): name is keyof typeof workloads => name in workloads;

const FOLDER = "replaced";

const WEBHOOKS = 1000;
let received = 0;
let receiving: Promise<void> | undefined;

/** One change, which is over when all webhooks have received it. */
async function changeForWebhooks(url: string): Promise<void> {
  receiving ??= createWebhooks(url);
  await receiving;
  const wanted = received + WEBHOOKS;
  await uploadFiles(url, "notified", "", 1);
  while (received < wanted) await Bun.sleep(10);
}

async function createWebhooks(url: string): Promise<void> {
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      received += 1;
      return new Response();
    },
  });
  receiver.unref();
  await send(url, "POST", "/api/folders", { folder: "notified" });
  for (let at = 0; at < WEBHOOKS; at += 1) {
    await send(url, "POST", "/api/webhooks", {
      name: `${at}`,
      url: `http://127.0.0.1:${receiver.port}/`,
      folder: "notified",
    });
  }
}

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

/** Requests at once. Too many of one client are refused. */
const flood = (count: number, url: string, path: string): Promise<void> =>
  times(count, async () => {
    const response = await fetch(`${url}${path}`, { headers: { "API-Key": API_KEY } });
    await response.arrayBuffer();
    if (!response.ok && response.status !== 429) throw new Error(`${path}: ${response.status}`);
  });

const links = new Map<string, Promise<string>>();

async function floodPages(url: string, count: number): Promise<void> {
  const link = links.get(url) ?? shareFolder(url);
  links.set(url, link);
  await flood(count, url, `/${await link}`);
}

/** The path of a link to a folder of 400 files. */
async function shareFolder(url: string): Promise<string> {
  for (let part = 0; part < 4; part += 1) await uploadFiles(url, "shared", `${part}-`);
  const found = await send(url, "GET", "/api/folders?limit=0&key=shared");
  const { id } = (found as { folder: { id: string } }).folder;
  const made = await send(url, "POST", "/api/links", { folderId: id });
  return (made as { link: { url: string } }).link.url;
}

async function send(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "API-Key": API_KEY, "Content-Type": "application/json", Origin: url },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}

const replaceFiles = (url: string): Promise<void> => uploadFiles(url, FOLDER, "");

async function uploadFiles(
  url: string,
  folder: string,
  prefix: string,
  count = 100,
): Promise<void> {
  const form = new FormData();
  form.append("folder", folder);
  form.append("onConflict", "replace");
  for (let file = 0; file < count; file += 1) {
    form.append("files", new Blob([`content ${file}`]), `${prefix}${file}.txt`);
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
