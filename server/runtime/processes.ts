/** See the runtime's documentation of `spawn` and `which`. */
export const { spawn, which: findProgram } = Bun;

/** Whether this is the compiled executable, which contains the program. */
export const isExecutable = Bun.main.startsWith("/$bunfs/");

/** The arguments with which `process.execPath` starts this program. */
export const ownProgram: readonly string[] = isExecutable ? [] : [Bun.main];
