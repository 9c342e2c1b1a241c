import { createProgress, type TransferReport } from "../transfer/progress.ts";
import { escapeControlCharacters } from "./escape-control-characters.ts";
import { showProgress } from "./progress-line.ts";

/**
 * Runs a transfer with its progress shown and its problems printed, each with its key. Afterwards
 * the process ends with code 1 when there were any.
 */
export async function runTransfer<T>(
  verb: string,
  work: (report: TransferReport) => Promise<T>,
): Promise<T> {
  const progress = createProgress();
  const screen = showProgress(verb, progress);
  try {
    return await work({
      progress,
      onProblem(key, problem) {
        process.exitCode = 1;
        screen.say(escapeControlCharacters(`${key}: ${problem}`));
      },
    });
  } finally {
    screen.end();
  }
}
