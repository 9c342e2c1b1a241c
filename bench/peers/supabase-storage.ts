import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { createPostmaster } from "../../server/catalog/postgres/postmaster.fixture.ts";
import { freePort } from "../../test/free-port.fixture.ts";
import { cpuTime } from "../cpu-time.ts";
import { DURABLE_SETTINGS } from "../instances/shared-stores.ts";
import { startPeer } from "./peer.ts";
import type { StorageServer } from "./storage-server.ts";

const BUCKET = "bench";
const JWT_SECRET = "a secret of the bench that is long enough for HS256";

/**
 * Supabase Storage from a built copy of its repository, with files on disk and a PostgreSQL of its own,
 * whose processor time counts. Needs the version of Node that the copy asks for as `node`.
 */
export async function startSupabaseStorage(checkout: string): Promise<StorageServer> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-bench-supabase-"));
  const databaseFolder = join(folder, "database");
  mkdirSync(databaseFolder);
  // The database runs as another user when this is root.
  for (const path of [folder, databaseFolder]) chmodSync(path, 0o755);
  const database = await createPostmaster(databaseFolder, DURABLE_SETTINGS);
  await database.start();
  await createOwner(database.url);
  const port = await freePort();
  const files = join(folder, "files");
  const peer = await startPeer(
    "Supabase Storage",
    port,
    ["node", resolve(checkout, "dist/start/server.js")],
    { cwd: checkout, env: environment({ port, files, databasePort: database.port }) },
  );
  const authorization = `Bearer ${serviceToken()}`;
  await createBucket(peer.url, authorization);
  const headers = [`Authorization: ${authorization}`, "Content-Type: application/octet-stream"];
  return {
    ...peer,
    cpu: () => peer.cpu() + cpuTime(database.pid),
    async stop() {
      await peer.stop();
      await database.stop("fast");
      rmSync(folder, { recursive: true });
    },
    publicPath: (name) => `/object/public/${BUCKET}/${name}`,
    upload: (name, content) => ({ path: `/object/${BUCKET}/${name}`, headers, body: content }),
  };
}

/** Its migrations expect a role of this name. */
async function createOwner(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("create role postgres superuser login password 'postgres'");
  await client.end();
}

interface Place {
  readonly port: number;
  readonly files: string;
  readonly databasePort: number;
}

/** Production mode without logs and queues. Cheaper than its defaults: ETags from times, cached tokens. */
const environment = ({ port, files, databasePort }: Place): Record<string, string> => ({
  NODE_ENV: "production",
  SERVER_HOST: "127.0.0.1",
  SERVER_PORT: String(port),
  SERVER_REGION: "local",
  AUTH_JWT_SECRET: JWT_SECRET,
  AUTH_JWT_ALGORITHM: "HS256",
  JWT_CACHING_ENABLED: "true",
  DATABASE_URL: `postgresql://postgres:postgres@127.0.0.1:${databasePort}/postgres`,
  DATABASE_CONNECTION_TIMEOUT: "60000",
  DB_INSTALL_ROLES: "true",
  DB_SUPER_USER: "postgres",
  STORAGE_BACKEND: "file",
  STORAGE_FILE_BACKEND_PATH: files,
  STORAGE_FILE_ETAG_ALGORITHM: "mtime",
  STORAGE_S3_BUCKET: "files",
  UPLOAD_FILE_SIZE_LIMIT: "524288000",
  PG_QUEUE_ENABLE: "false",
  LOG_LEVEL: "silent",
});

/** A token of the role that may do everything. */
function serviceToken(): string {
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const expires = Math.floor(Date.now() / 1000) + 86_400;
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ role: "service_role", exp: expires })}`;
  const signature = new Bun.CryptoHasher("sha256", JWT_SECRET).update(text).digest("base64url");
  return `${text}.${signature}`;
}

async function createBucket(url: string, authorization: string): Promise<void> {
  const response = await fetch(`${url}/bucket`, {
    method: "POST",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: JSON.stringify({ id: BUCKET, name: BUCKET, public: true }),
  });
  if (!response.ok)
    throw new Error(`Supabase Storage: ${response.status} ${await response.text()}`);
}
