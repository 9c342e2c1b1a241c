import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import type { Environment } from "./harness.ts";
import { onS3 } from "./on-s3.ts";

/** Where an instance may be, and the file that says so to `migrate`. */
export interface Place {
  readonly file: string;
  readonly env: Environment & { readonly DATA_PATH: string };
}

/** A new place below the folder, which does not exist yet but for its empty database and bucket. */
export async function newPlace(
  folder: string,
  name: string,
  catalog: "sqlite" | "postgres",
  blobs: "disk" | "s3",
): Promise<Place> {
  const env = {
    DATA_PATH: join(folder, name),
    ...(catalog === "postgres" ? { DATABASE_URL: await (await postgresServer()).fresh() } : {}),
    ...(blobs === "s3" ? onS3(await (await s3Server()).fresh()) : {}),
  };
  return { file: writePlace(folder, name, env), env };
}

/** Writes the variables into a file of that name. */
export function writePlace(folder: string, name: string, env: Environment): string {
  const file = join(folder, `${name}.env`);
  const lines = Object.entries(env).map(([variable, value]) => `${variable}="${value}"\n`);
  writeFileSync(file, lines.join(""));
  return file;
}
