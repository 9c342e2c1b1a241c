/**
 * Makes the system write out everything that is pending on a path's volume, all at once: thousands of
 * new files then cost one commit of its journal instead of one each. Only an optimisation: it resolves
 * whether or not the system has the program, and whatever must survive still needs its own fsync
 * afterwards.
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
