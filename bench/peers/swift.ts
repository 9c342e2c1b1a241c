import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/free-port.fixture.ts";
import { type Peer, startPeer } from "./peer.ts";
import type { StorageServer } from "./storage-server.ts";
import { currentUser, proxyConfig, SWIFT_LOGIN, storageConfig } from "./swift-config.ts";

/** Programs and their Debian packages. */
export const SWIFT_PACKAGES = {
  "swift-proxy-server": "swift-proxy",
  "swift-account-server": "swift-account",
  "swift-container-server": "swift-container",
  "swift-object-server": "swift-object",
  memcached: "memcached",
};

const STORAGE = ["account", "container", "object"] as const;
const CONTAINER = "bench";

/**
 * OpenStack Swift with one copy of each object on one disk: the four servers that take part in a request,
 * each with one worker, and memcached. The daemons for replication and audits do not run.
 */
export async function startSwift(): Promise<StorageServer> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-bench-swift-"));
  mkdirSync(join(folder, "devices/disk"), { recursive: true });
  const parts: Part[] = [];
  for (const kind of STORAGE) {
    const port = await freePort();
    makeRing(folder, kind, port);
    parts.push(await startPart(folder, kind, port, storageConfig(kind, folder, port)));
  }
  const memcached = await startMemcached();
  parts.push(memcached);
  const port = await freePort();
  const config = proxyConfig(folder, port, memcached.port);
  const proxy = await startPart(folder, "proxy", port, config);
  parts.push(proxy);

  const { account, token } = await signIn(proxy.url);
  const path = `${account}/${CONTAINER}`;
  await createContainer(proxy.url + path, token);
  const headers = [`X-Auth-Token: ${token}`, "Content-Type: application/octet-stream"];
  return {
    name: "OpenStack Swift",
    url: proxy.url,
    cpu: () => parts.reduce((sum, part) => sum + part.cpu(), 0),
    async stop() {
      for (const part of parts.reverse()) await part.stop();
      rmSync(folder, { recursive: true });
    },
    publicPath: (name) => `${path}/${name}`,
    upload: (name, content) => ({ method: "PUT", path: `${path}/${name}`, headers, body: content }),
  };
}

type Part = Pick<Peer, "url" | "cpu" | "stop">;

async function startPart(
  folder: string,
  kind: string,
  port: number,
  config: string,
): Promise<Part> {
  const path = join(folder, `${kind}-server.conf`);
  writeFileSync(path, config);
  return await startPeer(`Swift's ${kind} server`, port, [`swift-${kind}-server`, path]);
}

/** Keeps the tokens of the proxy, and what it knows of accounts and containers. */
async function startMemcached(): Promise<Part & { readonly port: number }> {
  const port = await freePort();
  const command = ["memcached", "-l", "127.0.0.1", "-p", String(port), "-u", currentUser()];
  return { ...(await startPeer("memcached", port, command)), port };
}

/** The place of all objects: one device at one server. */
function makeRing(folder: string, kind: string, port: number): void {
  const builder = join(folder, `${kind}.builder`);
  const steps = [
    ["create", "8", "1", "1"],
    ["add", `r1z1-127.0.0.1:${port}/disk`, "1"],
    ["rebalance"],
  ];
  for (const step of steps) {
    const { status, stdout } = spawnSync("swift-ring-builder", [builder, ...step], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`swift-ring-builder ${step[0]} failed: ${stdout}`);
  }
}

/** Returns the path of the account, and a token that may do everything in it. */
async function signIn(url: string): Promise<{ account: string; token: string }> {
  const headers = { "X-Auth-User": SWIFT_LOGIN.user, "X-Auth-Key": SWIFT_LOGIN.key };
  const response = await fetch(`${url}/auth/v1.0`, { headers });
  const account = response.headers.get("X-Storage-Url");
  const token = response.headers.get("X-Auth-Token");
  if (account === null || token === null) throw new Error(`Swift: no token, ${response.status}`);
  return { account: new URL(account).pathname, token };
}

/** A container whose objects everyone may read. */
async function createContainer(url: string, token: string): Promise<void> {
  const headers = { "X-Auth-Token": token, "X-Container-Read": ".r:*" };
  const response = await fetch(url, { method: "PUT", headers });
  if (!response.ok) throw new Error(`Swift: ${response.status} ${await response.text()}`);
}
