/**
 * Has the system write out everything that waits on a path's volume, all at once: thousands of new
 * files then cost one commit of its journal and not one each. Merely a help: it resolves whether
 * the system has the program or not, and what must survive still needs its own fsync after it.
 */
export async function syncVolume(path: string): Promise<void> {
  const program = Bun.which("sync");
  if (process.platform !== "linux" || program === null) return;
  const child = Bun.spawn([program, "-f", path], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await child.exited;
}
