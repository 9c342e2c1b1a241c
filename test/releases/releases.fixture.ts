import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { temporaryFolder } from "../harness.ts";

/**
 * What a release left behind when it was killed: its data folder, and the database and blobs of an
 * instance on PostgreSQL. Every later version must open both.
 */
export interface Release {
  readonly version: string;
  readonly contents: Contents;
  /** Unpacks the data folder into a new one. Returns its path. */
  dataFolder(): string;
  /** Unpacks the data folder of the instance on PostgreSQL, which has only blobs. Returns its path. */
  blobsFolder(): string;
  /** The statements that create and fill the database in a schema. */
  databaseIn(schema: string): string;
}

const contentsSchema = z.strictObject({
  apiKey: z.string(),
  authSecret: z.string(),
  account: z.strictObject({ email: z.string(), password: z.string() }),
  files: z.record(
    z.string(),
    z.strictObject({ visibility: z.enum(["public", "private"]), text: z.string() }),
  ),
  folders: z.array(z.string()),
  maxFilesPerRequest: z.int(),
  foldersDeleted: z.int(),
});

export type Contents = z.infer<typeof contentsSchema>;

const folder = import.meta.dirname;

/** Every release whose data is kept here. To add one, see CONTRIBUTING.md. */
export const releases: readonly Release[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => releaseOf(name, join(folder, name)));

function releaseOf(version: string, path: string): Release {
  const text = (name: string) => readFileSync(join(path, name), "utf8");
  return {
    version,
    contents: contentsSchema.parse(JSON.parse(text("contents.json"))),
    dataFolder: () => unpack(join(path, "data-folder.tar.gz")),
    blobsFolder: () => unpack(join(path, "database-blobs.tar.gz")),
    databaseIn: (schema) => text("database.sql").replaceAll("public.", `${schema}.`),
  };
}

function unpack(archive: string): string {
  const path = join(temporaryFolder(), "data");
  mkdirSync(path);
  const { status, stderr } = spawnSync("tar", ["-xzf", archive, "-C", path, "--no-same-owner"]);
  if (status !== 0) throw new Error(`tar failed: ${String(stderr)}`);
  return path;
}
