const CLEAR_LINE = "\r\u001b[K";
const EVERY_MS = 100;

/** Lines on standard output, and on standard error how far it is, where that is a terminal. */
export interface Terminal {
  /** Resolves when the next may come. */
  line(text: string): Promise<void>;
  /** `text` is only asked for when there is somebody to see it. */
  progress(text: () => string): void;
  /** Takes the progress away. */
  end(): void;
}

export function createTerminal(): Terminal {
  const { stdout, stderr } = process;
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
      if (!stderr.isTTY || performance.now() < shownAt + EVERY_MS) return;
      shownAt = performance.now();
      isShown = true;
      const width = Math.max(20, stderr.columns ?? 80) - 1;
      stderr.write(`${CLEAR_LINE}${text().slice(0, width)}`);
    },
    end: clear,
  };
}
