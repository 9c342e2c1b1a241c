/** See the runtime's documentation of `spawn` and `which`. */
export const { spawn, which: findProgram } = Bun;

/** Whether this is the compiled executable, which contains the program. */
const isExecutable = Bun.main.startsWith("/$bunfs/");

/** Set in the bundle of a package: how its users start this program. */
declare const HOLDALL_COMMAND: string;

/** The command that runs this program. */
export const ownCommand: string = isExecutable ? process.execPath : commandOfPackage();

function commandOfPackage(): string {
  return typeof HOLDALL_COMMAND === "string" ? HOLDALL_COMMAND : "npm run --silent holdall";
}

/** The arguments with which `process.execPath` starts this program. */
export const ownProgram: readonly string[] = isExecutable ? [] : [...process.execArgv, Bun.main];

/** Collects garbage and gives free memory back to the system. */
export function releaseMemory(): void {
  Bun.gc(true);
  Bun.shrink();
}
