import { existsSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createDiskBlobs } from "../blobs/disk/disk.ts";
import { createDiskCopies } from "../blobs/disk/disk-copies.ts";
import { CLI_LEASE_PREFIX, type Snapshot } from "../catalog/port.ts";
import { openSnapshot } from "../catalog/sqlite/open-snapshot.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { takeSnapshot } from "../catalog/sqlite/take-snapshot.ts";
import type { Config } from "../config/config.ts";
import { createFiles } from "../files/files.ts";
import type { Upload } from "../files/upload.ts";
import { ROOT_KEY } from "../rules/name.ts";
import type { Key, Visibility } from "../rules/records.ts";
import { createSigner } from "../rules/signature.ts";
import { createSettings } from "../settings/settings.ts";
import { type BackedUp, backup, type Destination } from "../transfer/backup.ts";
import type { Copied } from "../transfer/copy-blobs.ts";
import { openUnfinished } from "../transfer/export-file.ts";
import { type Exported, exportTree } from "../transfer/export-tree.ts";
import { type Imported, importTree } from "../transfer/import-tree.ts";
import type { OnProblem, Progress } from "../transfer/progress.ts";
import { restore } from "../transfer/restore.ts";
import { textOf } from "../transfer/upload-form.ts";
import { whileHeld } from "../transfer/while-held.ts";
import { requireDisk } from "./claim-disk.ts";
import {
  type CopyFolder,
  draftFrom,
  openBackup,
  openCopyFolder,
  refuseNested,
} from "./copy-folder.ts";
import {
  type DataFolder,
  keptSecret,
  makeWritable,
  openDataFolder,
  readSecret,
} from "./data-folder.ts";
import { readMarker } from "./marker.ts";
import { openBlobs, openBucketCopies } from "./open-blobs.ts";
import { openCatalog } from "./open-catalog.ts";
import { syncVolume } from "./sync-volume.ts";

/*
 * The composition root of the commands that carry everything in or out, as `app.ts` is the server's.
 */

export interface Watched {
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

/** `backup PATH`, beside a running server or not. Error: PATH is not for a backup of this instance. */
export async function backUp(config: Config, path: string, watched: Watched): Promise<BackedUp> {
  requireSnapshots(config);
  refuseNested(path, config.dataPath);
  const data = existingFolder(config);
  const catalog = await openSqliteCatalog({ path: data.catalog, exclusive: false });
  try {
    const root = await catalog.folderByKey(ROOT_KEY);
    if (root === undefined) throw new Error("The catalog has lost its root folder.");
    const { blobs } = await openBlobs(config, data, catalog, toldTo(watched));
    const target = openCopyFolder(path, "PATH", { work: "backup", backupOf: root.id });
    try {
      return await backup({
        ledger: catalog,
        from: blobs,
        async takeSnapshot() {
          await takeSnapshot(data.catalog, target.draft);
          return openSnapshot(target.draft);
        },
        to: await onDisk(target, data),
        ...watched,
      });
    } finally {
      target.release();
    }
  } finally {
    await catalog.close();
  }
}

/** `restore PATH`, into the data folder. Error: PATH is no whole backup, or the folder is not empty. */
export async function restoreFrom(config: Config, path: string, watched: Watched): Promise<Copied> {
  requireSnapshots(config);
  refuseNested(path, config.dataPath);
  const source = openBackup(path);
  try {
    const purpose = { work: "restore", backupOf: source.of } as const;
    const target = openCopyFolder(config.dataPath, "DATA_PATH", purpose);
    try {
      await draftFrom(source.folder, target);
      const snapshot = await openSnapshot(target.draft);
      try {
        return await restore({
          snapshot,
          from: await createDiskBlobs(source.folder.blobs),
          to:
            config.s3 === null
              ? await onDisk(target, source.folder)
              : await onS3({ s3: config.s3, target, source, watched }),
          ...watched,
        });
      } finally {
        snapshot.close();
      }
    } finally {
      target.release();
    }
  } finally {
    source.release();
  }
}

/**
 * `export PATH`, as of one moment and beside a running server or not. Error: PATH is no place for
 * it. Fault "not_found": there is no such folder.
 */
export async function exportTo(
  config: Config,
  { path, folder }: { readonly path: string; readonly folder: Key },
  watched: Watched,
): Promise<Exported> {
  requireSnapshots(config);
  refuseNested(path, config.dataPath);
  const data = existingFolder(config);
  const catalog = await openSqliteCatalog({ path: data.catalog, exclusive: false });
  try {
    makeWritable(path, "PATH");
    const { blobs } = await openBlobs(config, data, catalog, toldTo(watched));
    return await whileHeld(catalog, async (stillHeld) => {
      const unfinished = await openUnfinished(path);
      const snapshot = await momentarySnapshot(data, join(unfinished, "catalog.sqlite"));
      try {
        const to = { folder, path, unfinished, syncVolume };
        const exported = await exportTree({ snapshot, blobs, ...to, ...watched });
        if (exported.leftOut > 0) await stillHeld();
        return exported;
      } finally {
        snapshot.close();
      }
    });
  } finally {
    await catalog.close();
  }
}

export interface ImportRequest {
  /** The folder whose content is taken in. */
  readonly path: string;
  /** Where it goes. */
  readonly folder: Key;
  readonly visibility: Visibility | undefined;
}

/**
 * `import PATH`, beside a running server or not. What may be uploaded at once is no limit here:
 * these are the administrator's own files. Error: PATH is no folder, or the data folder is a backup.
 */
export async function importFrom(
  config: Config,
  request: ImportRequest,
  watched: Watched,
): Promise<Imported> {
  if (statSync(request.path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`PATH is "${request.path}", but must be a folder.`);
  }
  refuseNested(request.path, config.dataPath);
  const data = openDataFolder(config.dataPath);
  if (readMarker(data.path)?.backupOf !== undefined) {
    throw new Error(`${data.path} is a backup, which the next backup would take back.`);
  }
  const catalog = await openCatalog(config, data, { exclusive: false });
  await requireDisk(config, data, catalog);
  const onError = (message: string, cause: unknown): void =>
    watched.onProblem("Holdall", `${message}: ${String(cause)}`);
  const settings = await createSettings({ stored: catalog, pinned: config.settings, onError });
  const { blobs } = await openBlobs(config, data, catalog, {
    ...toldTo(watched),
    mustExist: false,
  });
  const files = createFiles({
    catalog,
    blobs,
    owner: `${CLI_LEASE_PREFIX}${crypto.randomUUID()}`,
    signer: createSigner(config.authSecret ?? keptSecret(data)),
    readText: textOf,
    settings: () => ({ ...settings.current(), ...UNLIMITED }),
    onDamage: () => {},
    onError,
  });
  // No server tells this process of a change, so it looks before each batch.
  const upload: Upload = async (form, expected) => {
    await settings.refresh();
    return files.upload(form, expected);
  };
  try {
    // What an earlier try that was killed has left.
    await files.sweep();
    return await importTree({
      files: { ...files, upload },
      names: catalog,
      ...request,
      ...watched,
    });
  } finally {
    settings.close();
    await files.close();
    await catalog.close();
  }
}

const UNLIMITED = {
  maxUploadSize: Number.MAX_SAFE_INTEGER,
  maxFilesPerRequest: Number.MAX_SAFE_INTEGER,
};

/** A snapshot that leaves nothing behind, however this process ends once it has been taken. */
async function momentarySnapshot(data: DataFolder, file: string): Promise<Snapshot> {
  await takeSnapshot(data.catalog, file);
  const snapshot = await openSnapshot(file);
  unlinkSync(file);
  return snapshot;
}

const toldTo = ({ onProblem }: Watched) => ({
  onTrouble: (message: string): void => onProblem("Holdall", message),
  mustExist: true,
});

async function onDisk(target: CopyFolder, from: DataFolder): Promise<Destination> {
  return {
    copies: await createDiskCopies(target.blobs, syncVolume),
    blobs: await createDiskBlobs(target.blobs),
    publish: () => target.publish(readSecret(from)),
  };
}

interface OnS3 {
  readonly s3: NonNullable<Config["s3"]>;
  readonly target: CopyFolder;
  readonly source: { readonly folder: DataFolder; readonly of: string };
  readonly watched: Watched;
}

/** Error: the bucket has files already, which a restore would take away. */
async function onS3({ s3, target, source, watched }: OnS3): Promise<Destination> {
  const bucket = await openBucketCopies(s3, target, source.of, toldTo(watched).onTrouble);
  return {
    copies: bucket.open(),
    blobs: bucket.blobs,
    publish: () => target.publish(readSecret(source.folder), bucket.publish),
  };
}

/** Error: the catalog is in PostgreSQL, of which nobody but its own tools makes a copy as of one moment. */
function requireSnapshots({ databaseUrl }: Config): void {
  if (databaseUrl === null) return;
  throw new Error(
    "This takes a snapshot of the catalog, which is in PostgreSQL (DATABASE_URL): copy that with its own tools, such as pg_dump, and then DATA_PATH.",
  );
}

/** What there is to carry: none of these commands begins a new instance. */
function existingFolder({ dataPath }: Config): DataFolder {
  if (!existsSync(join(dataPath, "holdall.json"))) {
    throw new Error(`DATA_PATH is "${dataPath}", and there is no data folder of Holdall.`);
  }
  return openDataFolder(dataPath);
}
