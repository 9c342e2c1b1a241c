import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { numberSettings } from "../../../contract/settings.ts";
import { blobDriver } from "../../blobs/drivers.ts";
import { catalogDriver } from "../../catalog/drivers.ts";
import type { Config } from "../../config/config.ts";
import { SECRET } from "../../instance/data-folder.ts";
import { MARKER, readMarker } from "../../instance/marker.ts";
import { bytesText } from "../amounts.ts";
import { type Advice, careful, wrong } from "./advice.ts";
import { examineEnvironmentFile } from "./examine-environment-file.ts";

/** What this machine tells: the data folder, its volume, the clock, the backup. Changes nothing. */
export function examineMachine(config: Config, backup: string | undefined): Advice[] {
  const { dataPath } = config;
  if (!existsSync(join(dataPath, MARKER))) {
    const what = `${dataPath} is no data folder of Holdall yet.`;
    return [
      careful(what, "Start the server once, or set DATA_PATH to the folder that it uses."),
      ...examineBackup(config, backup),
    ];
  }
  return [
    ...examineAccess(dataPath),
    ...examineEnvironmentFile(process.cwd()),
    ...examineSpace(config),
    ...examineClock(dataPath),
    ...examineDescriptors(),
    ...examineBackup(config, backup),
  ];
}

function examineAccess(dataPath: string): Advice[] {
  const found: Advice[] = [];
  const { mode, uid } = statSync(dataPath);
  if ((mode & 0o077) !== 0) {
    found.push(
      wrong(
        `Other users of this machine can get into ${dataPath}, where private files, the catalog and the secret of signed URLs are.`,
        `Run: chmod 700 ${dataPath}`,
      ),
    );
  }
  const secret = statSync(join(dataPath, SECRET), { throwIfNoEntry: false });
  if (secret !== undefined && (secret.mode & 0o077) !== 0) {
    found.push(
      wrong(
        `Other users can read ${SECRET} in ${dataPath}.`,
        `Run: chmod 600 ${join(dataPath, SECRET)}`,
      ),
    );
  }
  const me = process.getuid?.();
  if (me !== undefined && me !== uid) {
    found.push(
      careful(
        `${dataPath} belongs to another user than the one who asks.`,
        "Run holdall as the user who runs the server, or commands may leave files that it cannot write.",
      ),
    );
  } else if (me === 0) {
    found.push(
      careful(
        "Holdall runs as root, and needs none of its rights.",
        "Run it as a user of its own, as in the README's systemd unit.",
      ),
    );
  }
  return found;
}

const LITTLE_SPACE = 0.1;

function examineSpace({ dataPath, settings, blobs: store }: Config): Advice[] {
  if (!blobDriver(store).isLocal) return [];
  const { bavail, blocks, bsize, ffree, files } = statfsSync(dataPath);
  const free = bavail * bsize;
  const reserve = settings.minFreeSpace ?? numberSettings.minFreeSpace.default;
  const found: Advice[] = [];
  const more = "Delete files, or give the volume more room.";
  if (free <= reserve) {
    found.push(
      wrong(
        `${bytesText(free)} are free where ${dataPath} is, and MIN_FREE_SPACE keeps ${bytesText(reserve)}: uploads are refused.`,
        more,
      ),
    );
  } else if (free < blocks * bsize * LITTLE_SPACE) {
    found.push(
      careful(`${bytesText(free)} are free where ${dataPath} is, less than a tenth.`, more),
    );
  }
  if (files > 0 && ffree < files * 0.02) {
    found.push(
      wrong(
        `Nearly no more files can be made where ${dataPath} is: ${ffree} inodes are left.`,
        more,
      ),
    );
  }
  return found;
}

/** Clocks of file servers differ by so much, in milliseconds. */
const CLOCK_SLACK = 5 * 60_000;
/** Nothing was written with this version before. */
const BIRTH = Date.UTC(2026, 0, 1);

function examineClock(dataPath: string): Advice[] {
  const newest = Math.max(
    ...readdirSync(dataPath).map(
      (name) => statSync(join(dataPath, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
  if (Date.now() >= BIRTH && newest <= Date.now() + CLOCK_SLACK) return [];
  return [
    wrong(
      `The clock says ${new Date().toISOString()}, which is earlier than what has already been written: signed URLs and sessions end at wrong times.`,
      "Set the clock, and keep it right with NTP.",
    ),
  ];
}

const FEWEST_DESCRIPTORS = 4_096;

function examineDescriptors(): Advice[] {
  const limits = "/proc/self/limits";
  const told = existsSync(limits)
    ? /^Max open files +(\d+)/m.exec(readFileSync(limits, "utf8"))
    : null;
  if (told === null || Number(told[1]) >= FEWEST_DESCRIPTORS) return [];
  return [
    careful(
      `A process may have ${told[1]} files and connections open here, and slow clients alone can take so many.`,
      "Raise it, such as with LimitNOFILE=65536 in the systemd unit.",
    ),
  ];
}

const OLD_BACKUP_DAYS = 7;

function examineBackup({ catalog, blobs }: Config, path: string | undefined): Advice[] {
  if (path === undefined) {
    const how =
      !catalogDriver(catalog).isShared && blobDriver(blobs).isLocal
        ? "Have `holdall backup PATH` run every day, onto another disk"
        : "Back up the database and the store together";
    return [
      careful("No backup was looked at.", `${how}, and name it here: holdall doctor --backup PATH`),
    ];
  }
  const remedy = `Run: holdall backup ${path}`;
  try {
    const marker = readMarker(path);
    if (marker?.backupOf === undefined) return [wrong(`${path} is no backup.`, remedy)];
    if (marker.unfinished !== undefined)
      return [wrong(`The backup in ${path} is not finished.`, remedy)];
    const days = Math.floor(
      (Date.now() - statSync(join(path, "catalog.sqlite")).mtimeMs) / 86_400_000,
    );
    return days < OLD_BACKUP_DAYS
      ? []
      : [wrong(`The backup in ${path} is ${days} days old.`, remedy)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [wrong(`The backup cannot be read: ${why}`, remedy)];
  }
}
