import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { numberSettings } from "../../../contract/settings.ts";
import { quoteIfNeeded } from "../../../contract/text/quote-shell.ts";
import { blobDriver } from "../../blobs/drivers.ts";
import { catalogDriver } from "../../catalog/drivers.ts";
import { type Advice, error, warning } from "../../config/advice.ts";
import { commandLine } from "../../config/command-line.ts";
import type { Config } from "../../config/config.ts";
import { descriptorLimit } from "../../fs/descriptor-limit.ts";
import { SECRET_FILE } from "../../instance/auth-secret.ts";
import { MARKER, readMarker } from "../../instance/marker.ts";
import { bytesText } from "../../terminal/amounts.ts";

/** Examines the data folder, its volume, the clock and the backup. Changes nothing. */
export function examineMachine(config: Config, backup: string | undefined): Advice[] {
  const { dataPath } = config;
  if (!existsSync(join(dataPath, MARKER))) {
    return [
      warning(
        `There is no instance of Holdall in ${dataPath}: doctor examined only the machine.`,
        "Start the server once, or set DATA_PATH to the folder that it uses.",
      ),
      ...examineDescriptors(),
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

const SECRET =
  /^[ \t]*(?:export[ \t]+)?(?:\w*(?:SECRET|PASSWORD|KEY)|DATABASE_URL|REDIS_URL)[ \t]*=[ \t]*\S/m;

/** Examines the .env file in the working folder, which may contain secrets. */
export function examineEnvironmentFile(folder: string): Advice[] {
  const path = join(folder, ".env");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o077) === 0) return [];
  if (!SECRET.test(readFileSync(path, "utf8"))) return [];
  return [
    error(
      `Other users can read ${path}, which contains secrets.`,
      `Run: chmod 600 ${quoteIfNeeded(path)}`,
    ),
  ];
}

function examineAccess(dataPath: string): Advice[] {
  const found: Advice[] = [];
  const { mode, uid } = statSync(dataPath);
  if ((mode & 0o077) !== 0) {
    found.push(
      error(
        `Other users of this machine can access ${dataPath} with the private files, the catalog and the secret that signs URLs.`,
        `Run: chmod 700 ${quoteIfNeeded(dataPath)}`,
      ),
    );
  }
  const secret = statSync(join(dataPath, SECRET_FILE), { throwIfNoEntry: false });
  if (secret !== undefined && (secret.mode & 0o077) !== 0) {
    found.push(
      error(
        `Other users can read ${SECRET_FILE} in ${dataPath}.`,
        `Run: chmod 600 ${quoteIfNeeded(join(dataPath, SECRET_FILE))}`,
      ),
    );
  }
  const me = process.getuid?.();
  if (me !== undefined && me !== uid) {
    found.push(
      warning(
        `${dataPath} belongs to another user than the one who runs doctor.`,
        "Run holdall as the user of the server, or commands may leave files that the server cannot write.",
      ),
    );
  } else if (me === 0) {
    found.push(
      warning(
        "Holdall runs as root, but does not need to.",
        "Run it as a user of its own, as in the systemd unit in the documentation.",
      ),
    );
  }
  return found;
}

const LOW_SPACE_SHARE = 0.1;

function examineSpace({ dataPath, settings, blobs: store }: Config): Advice[] {
  if (!blobDriver(store).isLocal) return [];
  const { bavail, blocks, bsize, ffree, files } = statfsSync(dataPath);
  const free = bavail * bsize;
  const reserve = settings.minFreeSpace ?? numberSettings.minFreeSpace.default;
  const found: Advice[] = [];
  const more = "Delete files, or enlarge the volume.";
  if (free <= reserve) {
    found.push(
      error(
        `The volume of ${dataPath} has ${bytesText(free)} of free space, and MIN_FREE_SPACE keeps ${bytesText(reserve)}: uploads are refused.`,
        more,
      ),
    );
  } else if (free < blocks * bsize * LOW_SPACE_SHARE) {
    found.push(
      warning(
        `The volume of ${dataPath} has ${bytesText(free)} of free space, less than a tenth.`,
        more,
      ),
    );
  }
  if (files > 0 && ffree < files * 0.02) {
    found.push(
      error(
        `The volume of ${dataPath} can take hardly any more files: ${ffree} inodes are left.`,
        more,
      ),
    );
  }
  return found;
}

/** In milliseconds: the clock of a file server may differ this much. */
const CLOCK_SLACK = 5 * 60_000;
/** Holdall has no older data. */
const FIRST_RELEASE = Date.UTC(2026, 0, 1);

function examineClock(dataPath: string): Advice[] {
  const newest = Math.max(
    ...readdirSync(dataPath).map(
      (name) => statSync(join(dataPath, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
  if (Date.now() >= FIRST_RELEASE && newest <= Date.now() + CLOCK_SLACK) return [];
  return [
    error(
      `The clock says ${new Date().toISOString()}, which is earlier than the newest data: signed URLs and sessions expire at the wrong time, unless the catalog is in PostgreSQL, whose clock counts.`,
      "Set the clock, and synchronise it with NTP.",
    ),
  ];
}

const MIN_DESCRIPTORS = 4_096;

function examineDescriptors(): Advice[] {
  const limit = descriptorLimit() ?? MIN_DESCRIPTORS;
  if (limit >= MIN_DESCRIPTORS) return [];
  return [
    warning(
      `A process may open only ${limit} files and connections, which slow clients alone can use up.`,
      "Raise the limit, such as with LimitNOFILE=65536 in the systemd unit.",
    ),
  ];
}

const OLD_BACKUP_DAYS = 7;

function examineBackup(config: Config, path: string | undefined): Advice[] {
  const { catalog, blobs } = config;
  if (path === undefined) {
    const how =
      !catalogDriver(catalog).isShared && blobDriver(blobs).isLocal
        ? `Run \`${commandLine(config, "backup PATH")}\` every day, to another disk`
        : "Back up the database and the store together";
    return [
      warning(
        "doctor examined no backup.",
        `${how}, and examine it with: ${commandLine(config, "doctor --backup PATH")}`,
      ),
    ];
  }
  const remedy = `Run: ${commandLine(config, `backup ${quoteIfNeeded(path)}`)}`;
  try {
    const marker = readMarker(path);
    if (marker?.backupOf === undefined) return [error(`${path} is not a backup.`, remedy)];
    if (marker.unfinished !== undefined)
      return [error(`The backup in ${path} is unfinished.`, remedy)];
    const days = Math.floor(
      (Date.now() - statSync(join(path, "catalog.sqlite")).mtimeMs) / 86_400_000,
    );
    return days < OLD_BACKUP_DAYS
      ? []
      : [error(`The backup in ${path} is ${days} days old.`, remedy)];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return [error(`The backup cannot be read: ${why}`, remedy)];
  }
}
