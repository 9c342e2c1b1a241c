import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { HealthDetails, HealthPart } from "../../../../sdk/src/holdall.ts";
import { daysSince, formatAge } from "../../text/format-age.ts";
import { formatCount } from "../../text/format-count.ts";
import { serverCommand } from "./server-command.ts";

/** Something that the operator should do something about. */
export interface Problem {
  /** "bad": files, or the service, are affected. "warn": they may be one day. */
  readonly tone: "bad" | "warn";
  readonly text: string;
}

/** A backup older than this is worth a warning. */
const MAX_BACKUP_DAYS = 7;
const LOW_SPACE = 0.1;

/** The instance's problems, the worst first; empty: none is known. */
export function findProblems(health: HealthDetails, now = new Date()): Problem[] {
  const problems = [
    ...partProblems(health),
    ...spaceProblems(health),
    ...fileProblems(health),
    ...backupProblems(health, now),
  ];
  return problems.toSorted((one, other) => rank(one) - rank(other));
}

const rank = ({ tone }: Problem): number => (tone === "bad" ? 0 : 1);
const bad = (text: string): Problem => ({ tone: "bad", text });
const warn = (text: string): Problem => ({ tone: "warn", text });

function partProblems({ parts, workers, jobs, lostRecords }: HealthDetails): Problem[] {
  const problems = parts.flatMap(({ part, problem }) =>
    problem === null ? [] : [part === "redis" ? warn(problem) : bad(problem)],
  );
  if (lostRecords !== null) problems.push(bad(`Changes were lost: ${lostRecords.reason}`));
  const missing = workers.configured - workers.running;
  if (missing > 0) {
    problems.push(
      warn(
        `${formatCount(missing, "worker process is", "worker processes are")} not running. The log says why.`,
      ),
    );
  }
  for (const { name, failures, lastError } of jobs) {
    if (failures > 1)
      problems.push(warn(`The background job “${name}” keeps failing: ${lastError}`));
  }
  return problems;
}

function spaceProblems({ storage: { volume, reserved }, parts }: HealthDetails): Problem[] {
  if (volume === null) return [bad("The volume of the data folder does not respond.")];
  const holdsFiles = parts.some(({ kind }) => kind === "disk");
  if (volume.free <= reserved && holdsFiles) {
    return [bad("The volume is full, so uploads are refused. Delete files or free up space.")];
  }
  if (volume.free >= volume.size * LOW_SPACE) return [];
  return [warn(`Only ${formatBytes(volume.free)} are free on the volume.`)];
}

function fileProblems(health: HealthDetails): Problem[] {
  const { scrub, verification, quarantine } = health;
  const problems: Problem[] = [];
  if (scrub.found > 0) {
    const files = formatCount(scrub.found, "file is", "files are");
    problems.push(
      bad(`${files} damaged or missing. Restore them from a backup, then check again.`),
    );
  }
  if (scrub.earlier > 0) problems.push(bad(earlierText(scrub)));
  if (verification !== null) {
    const { missing, damaged, foreign, catalog, repaired } = verification;
    if (damaged > 0 || (missing > 0 && !repaired) || catalog > 0) {
      const command = serverCommand(health, "verify");
      problems.push(bad(`The last check by command found problems. To see them: ${command}`));
    } else if (foreign > 0 && !repaired) {
      problems.push(warn("The last check by command found contents that belong to no file."));
    }
  }
  if (scrub.state === "never" && scrub.every === null) {
    problems.push(warn("The files have never been checked for damage."));
  }
  if (quarantine !== null && quarantine.count > 0) {
    problems.push(warn("There are files in the quarantine. Look at them, then delete them."));
  }
  return problems;
}

function earlierText({ earlier, state }: HealthDetails["scrub"]): string {
  const files = formatCount(earlier, "damaged or missing file");
  const [subject, verb] = earlier === 1 ? ["it", "is"] : ["they", "are"];
  return state === "running"
    ? `The previous check found ${files}; ${subject} ${verb} being checked again.`
    : `The previous check found ${files}; ${subject} ${verb} not checked again yet.`;
}

function backupProblems({ backup, storage, parts }: HealthDetails, now: Date): Problem[] {
  if (!knowsBackups(parts)) return [];
  if (backup === null) return storage.files === 0 ? [] : [warn("There is no backup yet.")];
  const problems: Problem[] = [];
  if (backup.damaged > 0) {
    const files = formatCount(backup.damaged, "damaged file");
    problems.push(bad(`The last backup left out ${files}.`));
  }
  if (daysSince(backup.finishedAt, now) > MAX_BACKUP_DAYS) {
    problems.push(warn(`The last backup was made ${formatAge(backup.finishedAt, now)}.`));
  }
  return problems;
}

/** PostgreSQL is backed up with its own tools, which leave no note here. */
export const knowsBackups = (parts: readonly HealthPart[]): boolean =>
  !parts.some(({ kind }) => kind === "postgres");
