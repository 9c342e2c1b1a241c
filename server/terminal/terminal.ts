const CLEAR_LINE = "\r\u001b[K";
const REDRAW_MS = 100;

/** Prints lines to standard output, and progress to standard error if that is a terminal. */
export interface Terminal {
  /** Resolves when the next line may follow. */
  line(text: string): Promise<void>;
  /** Calls `text` only if the progress is shown. */
  progress(text: () => string): void;
  /** Clears the progress. */
  end(): void;
}

export function createTerminal(): Terminal {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    // One listener, however many terminals there are.
    stream.off("error", endWithReader).on("error", endWithReader);
  }
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;

  function clear(): void {
    if (isShown) stderr.write(CLEAR_LINE);
    isShown = false;
  }

  return {
    async line(text) {
      if (stdout.isTTY) clear();
      if (!stdout.write(`${text}\n`)) {
        await new Promise<void>((resolve) => stdout.once("drain", resolve));
      }
    },
    progress(text) {
      if (!stderr.isTTY || performance.now() < shownAt + REDRAW_MS) return;
      shownAt = performance.now();
      isShown = true;
      const width = Math.max(20, stderr.columns ?? 80) - 1;
      stderr.write(`${CLEAR_LINE}${text().slice(0, width)}`);
    },
    end: clear,
  };
}

/** As after SIGPIPE, which the runtime ignores. */
const CLOSED_PIPE_EXIT_CODE = 141;

/** Ends the process silently when nothing reads its output any more, such as after `| head -1`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(CLOSED_PIPE_EXIT_CODE);
  throw error;
}
