import { z } from "zod";
import { api, type Reachable, send } from "../client.ts";
import { expectData } from "../expectations.ts";
import { field, filePart } from "../multipart.ts";
import { newKeyData } from "../shapes.ts";
import { checkNameRoundTrip } from "./check-name-round-trip.ts";
import { hostileName } from "./hostile-name.ts";
import { mutatedForm } from "./mutated-form.ts";
import { conditions } from "./requests/conditions.ts";
import { persistentConnections } from "./requests/persistent-connections.ts";
import { KEY } from "./requests/request-case.ts";
import { requestLines } from "./requests/request-lines.ts";
import { requestSmuggling } from "./requests/request-smuggling.ts";
import { requestTargets } from "./requests/request-targets.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { sendPipelined } from "./send-pipelined.ts";
import { uploadForm } from "./upload-form.ts";

const stored = z.looseObject({ id: z.string() });
const trashData = z.looseObject({ items: z.array(stored.extend({ key: z.string() })) });
const versionsData = z.object({ versions: z.array(stored) });
const endData = z.looseObject({ cursor: z.string() });

const SCOPE = "scope";
/** In every file outside the scope. */
const CONTENT = "content from outside the scope";
const OUTSIDE = ["digits.txt", "secret.txt", "été.txt", "scope0/f", "scope-/f", "out/deep/f"];

/** Hostile requests with an API key that may do everything, but only in one folder. */
export interface LimitedAttacker {
  /** Every request of the corpus of hostile requests. Returns how many. */
  sendRequests(): Promise<number>;
  /** A fuzzed upload form, a hostile name, and hostile paths that lead out of the folder. */
  attack(seed: number): Promise<void>;
  /** Answers with something from outside, and changes outside. */
  problems(): Promise<string[]>;
}

export async function createLimitedAttacker(server: Reachable): Promise<LimitedAttacker> {
  const a = api(server);
  await a.json("PUT", "/api/settings", { keepVersions: true });
  for (const path of OUTSIDE) await a.put(path, CONTENT, { visibility: "private" });
  const trashed = await a.put("out/trashed.txt", CONTENT, { visibility: "private" });
  await a.json("DELETE", "/api/files", { id: trashed.id, trash: true });
  await a.upload([field("onConflict", "replace"), filePart("secret.txt", `${CONTENT}, again`)]);
  const own = await a.put(`${SCOPE}/digits.txt`, "0123456789", { visibility: "private" });
  const made = await a.json("POST", "/api/keys", {
    name: "limited",
    folder: SCOPE,
    actions: ["list", "read", "write", "delete", "share", "keys"],
  });
  const { secret } = expectData(made, newKeyData);
  const limited = { url: server.url, apiKey: secret };
  const problems: string[] = [];
  const { cursor: start } = expectData(await api(limited).get("/api/changes"), endData);

  /** Everything outside, as the administrator sees it. */
  async function readOutside(): Promise<Map<string, string>> {
    const seen = new Map<string, string>();
    const visit = async (key: string): Promise<void> => {
      const { folder, files, folders } = await a.browse(key);
      seen.set(folder.id, JSON.stringify({ ...folder, updatedAt: "" }));
      for (const file of files) seen.set(file.id, JSON.stringify(file));
      for (const inner of folders) if (inner.key !== SCOPE) await visit(inner.key);
    };
    await visit("");
    const { items } = expectData(await a.get("/api/trash?limit=1000"), trashData);
    for (const item of items) {
      if (!item.key.startsWith(`${SCOPE}/`)) seen.set(item.id, JSON.stringify(item));
    }
    const secret = await a.get("/api/files/versions?key=secret.txt");
    for (const version of expectData(secret, versionsData).versions) {
      seen.set(version.id, JSON.stringify(version));
    }
    return seen;
  }
  const before = await readOutside();

  function check(what: string, text: string): void {
    const found = [CONTENT, ...before.keys()].find((secretText) => text.includes(secretText));
    if (found !== undefined) problems.push(`${what}: the answer contains "${found}"`);
  }

  async function request(method: string, path: string, body?: unknown): Promise<void> {
    const headers = { "API-Key": secret, "Content-Type": "application/json" };
    const content = body === undefined ? undefined : JSON.stringify(body);
    const { status, text } = await send(server, method, path, headers, content);
    if (status >= 500) problems.push(`${method} ${path} ${content ?? ""}: ${status}`);
    // What the request names may be in the message.
    const named = [...before.keys()].filter((id) => content?.includes(id));
    const unnamed = named.reduce((rest, id) => rest.replaceAll(id, ""), text);
    check(`${method} ${path} ${content ?? ""}`, unnamed);
  }

  /** Requests for things outside: uploads, the trash, versions, links, and the feed. */
  async function reachOut(id: string, key: string, name: string): Promise<void> {
    const query = encodeURIComponent(key);
    for (const path of ["digest", "metadata", "versions"]) {
      await request("GET", `/api/files/${path}?key=${query}`);
      await request("GET", `/api/files/${path}?id=${id}`);
    }
    await request("GET", `/api/files/versions/content?id=${id}`);
    await request("POST", "/api/files/versions/restore", { id });
    await request("DELETE", "/api/files/versions", { ids: [id] });
    await request("GET", "/api/trash?limit=1000");
    await request("POST", "/api/trash/restore", { ids: [id] });
    await request("DELETE", "/api/trash", { ids: [id] });
    await request("POST", "/api/files/download", { ids: [id], folderIds: [id] });
    await request("PUT", "/api/files", { id: own.id, folderId: id });
    await request("PUT", "/api/folders", { id: own.folderId, parentId: id });
    await request("POST", "/api/links", { fileId: id });
    await request("POST", "/api/links", { folderId: id, kind: "drop" });
    await request("POST", "/api/uploads", { folder: key, name, size: 0 });
    await request("POST", "/api/batches", { folder: key });
    await request("GET", `/api/changes?folder=${query}`);
    await request("GET", `/api/changes?since=${start}&limit=1000`);
  }

  return {
    async sendRequests() {
      const groups = [requestSmuggling, requestTargets, requestLines, persistentConnections];
      const all = [...groups, conditions].flat();
      const port = Number(new URL(server.url).port);
      for (const { title, send: bytes, outcome } of all) {
        const pieces = (typeof bytes === "string" ? [bytes] : bytes).map((piece) =>
          piece.replaceAll(KEY, secret),
        );
        // Their lengths fit another key, so the answers may be others than without a scope.
        const seen = await sendPipelined(port, pieces, outcome.statuses.length).catch(() => null);
        for (const { text } of seen?.responses ?? []) check(title, text);
        check(title, seen?.excess ?? "");
      }
      return all.length;
    },

    async attack(seed) {
      const random = createSeededRandom(seed);
      const form = await uploadForm(limited, mutatedForm(random));
      check(`form ${seed}`, form.text);
      if (form.status >= 500) problems.push(`form ${seed}: ${form.status}`);
      const name = hostileName(random);
      const { problem } = await checkNameRoundTrip(limited, `${SCOPE}/names ${seed}`, name);
      if (problem !== "") problems.push(`name ${JSON.stringify(name)}: ${problem}`);
      const key = wayOut(random, name);
      const query = encodeURIComponent(key);
      const [id = ""] = [random.pick(withFirst([...before.keys()]))];
      await request("GET", `/api/files?key=${query}`);
      await request("GET", `/api/folders?key=${query}`);
      await request("GET", `/api/folders/size?path=${query}`);
      // The cut may split a surrogate pair.
      await request("GET", `/api/search?q=${encodeURIComponent(name.slice(0, 20).toWellFormed())}`);
      await request("GET", `/api/hosting/${key.split("/").map(encodeURIComponent).join("/")}`);
      await request("POST", "/api/files/sign", { key });
      await request("POST", "/api/folders", { folder: key });
      await request("POST", "/api/keys", { name: "child", folder: key });
      await request("PUT", "/api/files", { id, name });
      await request("PUT", "/api/folders", { id, name, visibility: "public" });
      await request("DELETE", "/api/files", { ids: [id, key] });
      await request("DELETE", "/api/folders", { id });
      await reachOut(id, key, name);
    },

    async problems() {
      const after = await readOutside();
      for (const [id, record] of before) {
        if (after.get(id) !== record) problems.push(`changed: ${record} to ${after.get(id)}`);
      }
      for (const [id, record] of after) if (!before.has(id)) problems.push(`added: ${record}`);
      return problems;
    },
  };
}

/** A path that might lead out of the folder. */
function wayOut(random: SeededRandom, name: string): string {
  const target = random.pick(withFirst(OUTSIDE));
  return random.pick([
    target,
    `/${target}`,
    `${SCOPE}/../${target}`,
    `${SCOPE}/./../${target}`,
    `${SCOPE}//../${target}`,
    `${SCOPE}/%2e%2e/${target}`,
    `${SCOPE}/..%2f${target}`,
    `${SCOPE}\\..\\${target}`,
    `${SCOPE}\0/${target}`,
    `${SCOPE}0/${name}`,
    `${SCOPE} /${name}`,
    `${SCOPE}`.toUpperCase(),
    `./${target}`,
    `${SCOPE}/${name}/../../${target}`,
    `${name}/${target}`,
    name,
  ]);
}

function withFirst<T>([first, ...rest]: readonly T[]): [T, ...T[]] {
  if (first === undefined) throw new Error("The list is empty.");
  return [first, ...rest];
}
