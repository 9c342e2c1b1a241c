import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startCaddy } from "../peers/caddy.ts";
import { nginxSignature, startNginx } from "../peers/nginx.ts";
import type { Peer } from "../peers/peer.ts";
import { API_KEY, type ServerProcess, startServer } from "../server-process.ts";
import type { Contender } from "./workload.ts";

export interface Contenders {
  readonly holdall: ServerProcess;
  readonly all: readonly Contender[];
  stop(): Promise<void>;
}

const FOREVER = 4_000_000_000;

/** Starts Holdall and its peers over the same bytes. */
export async function startContenders(workPath: string, caddy: boolean): Promise<Contenders> {
  mkdirSync(join(workPath, "peers"), { recursive: true });
  const root = join(workPath, "www");
  const peers: Peer[] = [await startNginx(join(workPath, "peers"), root)];
  if (caddy) peers.push(await startCaddy(join(workPath, "peers"), root));
  const holdall = await startServer({ dataPath: join(workPath, "data") });
  const signByPeer = async (path: string): Promise<string> => nginxSignature(path, FOREVER);
  return {
    holdall,
    all: [
      {
        name: "Holdall",
        url: holdall.url,
        cpu: holdall.cpu,
        sign: (path) => signOn(holdall, path),
      },
      ...peers.map((peer) => ({ ...peer, sign: signByPeer })),
    ],
    async stop() {
      for (const each of [holdall, ...peers]) await each.stop();
    },
  };
}

/** The query of a URL that Holdall signed. */
export async function signOn({ url }: ServerProcess, path: string): Promise<string> {
  const response = await fetch(`${url}/api/files/sign`, {
    method: "POST",
    headers: { "API-Key": API_KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ key: path.replace("/api/hosting/", ""), expiresIn: 86_400 }),
  });
  const { data } = (await response.json()) as { data: { url: string } };
  return data.url.slice(data.url.indexOf("?") + 1);
}
