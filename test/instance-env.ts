import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import type { Environment } from "./harness.ts";
import { s3Environment } from "./s3-environment.ts";

/** The environment of an instance, and the file with it that `migrate --to` reads. */
export interface InstanceEnv {
  readonly file: string;
  readonly env: Environment & { readonly DATA_PATH: string };
}

/** An environment for a new instance, with an empty database and bucket and no data folder yet. */
export async function newInstanceEnv(
  folder: string,
  name: string,
  catalog: "sqlite" | "postgres",
  blobs: "disk" | "s3",
): Promise<InstanceEnv> {
  const env = {
    DATA_PATH: join(folder, name),
    ...(catalog === "postgres" ? { DATABASE_URL: await (await postgresServer()).fresh() } : {}),
    ...(blobs === "s3" ? s3Environment(await (await s3Server()).fresh()) : {}),
  };
  return { file: writeEnvFile(folder, name, env), env };
}

/** Writes `NAME.env` with these variables and returns its path. */
export function writeEnvFile(folder: string, name: string, env: Environment): string {
  const file = join(folder, `${name}.env`);
  const lines = Object.entries(env).map(([variable, value]) => `${variable}="${value}"\n`);
  writeFileSync(file, lines.join(""));
  return file;
}
