import { hasPassed, table } from "./table.ts";
import { CannotRun, type Row, type Scale, type Trial } from "./trial.ts";

/**
 * Runs the trials that the arguments name (default: all), with `--short` in their short form, and
 * prints one table, the counts, and the rows that failed. Resolves with the exit code.
 */
export async function runTrials(
  trials: readonly Trial[],
  args: readonly string[],
): Promise<number> {
  const isShort = args.includes("--short");
  const selected = args.filter((arg) => arg !== "--short");
  const unknown = selected.find((name) => !trials.some((trial) => trial.name === name));
  if (unknown !== undefined) {
    const names = trials.map((trial) => trial.name).join(", ");
    console.error(`Unknown trial "${unknown}". Trials: ${names}. Option: --short.`);
    return 2;
  }

  const rows: Row[] = [];
  for (const trial of trials) {
    if (selected.length > 0 && !selected.includes(trial.name)) continue;
    const started = performance.now();
    rows.push(...(await outcome(trial, isShort)));
    console.error(`${trial.name}: ${Math.round((performance.now() - started) / 1000)} s`);
  }
  const failed = rows.filter((row) => !hasPassed(row));
  console.log(`\n${table(rows)}\n\n${rows.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) console.log(table(failed));
  return failed.length === 0 && rows.length > 0 ? 0 : 1;
}

async function outcome(trial: Trial, isShort: boolean): Promise<Row[]> {
  const scale: Scale = {
    tries: (full, short) => (isShort ? short : full),
    progress: (text) => console.error(`${trial.name}: ${text}`),
  };
  try {
    return await trial.run(scale);
  } catch (error) {
    const reason =
      error instanceof CannotRun
        ? `could not run here. ${error.message}`
        : `failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return [{ fault: trial.name, tries: 0, lost: 0, leftovers: 0, problems: [reason] }];
  }
}
