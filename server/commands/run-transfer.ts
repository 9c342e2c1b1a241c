import { escapeControlCharacters } from "../terminal/escape-control-characters.ts";
import { showProgress } from "../terminal/progress-line.ts";
import { createProgress, type TransferReport } from "../transfer/progress.ts";

/**
 * Runs a transfer. Shows its progress and prints each problem with its key. If there are problems, the
 * exit code of the process is 1.
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
