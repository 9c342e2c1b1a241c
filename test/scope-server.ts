import { afterAll, beforeEach, expect } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { head, type RawHttpResponse, rawRequest } from "./raw.ts";
import type { ScopedRequest } from "./scope-file-requests.ts";
import { type FileShape, type FolderShape, newKeyData } from "./shapes.ts";

export const ALL_ACTIONS = ["list", "read", "write", "delete", "share"] as const;

export interface ScopedTree {
  /** The folder of the key. */
  readonly top: FolderShape;
  readonly inside: FileShape;
  readonly deep: FileShape;
  /** Next to the folder, with a name that begins alike. */
  readonly sibling: FileShape;
  readonly other: FileShape;
  readonly atRoot: FileShape;
}

/** A server, and for each test a folder with a key that is limited to it, among other files. */
export async function startScopedServer() {
  const server = await startServer();
  afterAll(() => server.discard());
  const a = api(server);

  async function keyFor(folder: string | undefined, actions: readonly string[] = ALL_ACTIONS) {
    const body = { name: unique("key"), actions, ...(folder === undefined ? {} : { folder }) };
    const { secret } = expectData(await a.json("POST", "/api/keys", body), newKeyData);
    return { ...api({ url: server.url, apiKey: secret }), secret };
  }

  async function makeTree(name: string): Promise<ScopedTree> {
    const hidden = { visibility: "private" };
    return {
      inside: await a.put(`${name}/file.txt`, "inside", hidden),
      deep: await a.put(`${name}/in/deep.txt`, "deep", hidden),
      sibling: await a.put(`${name}0/file.txt`, "sibling", hidden),
      other: await a.put(`other-${name}/file.txt`, "other", hidden),
      atRoot: await a.put(`${name}.txt`, "root", hidden),
      top: (await a.browse(name)).folder,
    };
  }

  function sendRaw(
    { secret }: ScopedClient,
    { method, path, body }: ScopedRequest,
  ): Promise<RawHttpResponse> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers: [string, string][] = [["API-Key", secret]];
    if (body !== undefined) {
      headers.push(["Content-Type", "application/json"], ["Content-Length", `${text.length}`]);
    }
    return rawRequest(server.port, head(method, path, headers) + text);
  }

  const sendAs = (
    { secret }: ScopedClient,
    { method, path, body }: ScopedRequest,
  ): Promise<HttpResponse> =>
    send(
      server,
      method,
      path,
      { "API-Key": secret, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body === undefined ? undefined : JSON.stringify(body),
    );

  let current: { tree: ScopedTree; limited: ScopedClient } | undefined;
  beforeEach(async () => {
    // With a digit at its end, the sibling's name could be the name of a later test.
    const name = `${unique("scope")}-top`;
    const tree = await makeTree(name);
    current = { tree, limited: await keyFor(name) };
  });
  const now = () => {
    if (current === undefined) throw new Error("No test runs.");
    return current;
  };

  return {
    server,
    a,
    keyFor,
    sendRaw,
    sendAs,
    /** The tree of the running test. */
    tree: () => now().tree,
    limited: () => now().limited,
    /** Everything that any answer to a limited key must not contain. */
    expectNothingOutside({ text }: { readonly text: string }): void {
      const { sibling, other, atRoot } = now().tree;
      for (const { id, key, folderId } of [sibling, other, atRoot]) {
        for (const hidden of [id, key, folderId]) expect(text).not.toContain(`"${hidden}"`);
      }
    },
  };
}

export type ScopedClient = ReturnType<typeof api> & { readonly secret: string };
