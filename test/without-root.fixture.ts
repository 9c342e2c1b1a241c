import { isMissing } from "./reason-to-skip.fixture.ts";

const isRoot = process.getuid?.() === 0;

/** Begins a command line that has to respect the permissions of files, also where this is root. */
export const withoutRoot: readonly string[] = isRoot
  ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
  : [];

/** Whether root's rights cannot be given up here. */
export const cannotDropRoot = isMissing("setpriv", !isRoot || Bun.which("setpriv") !== null);
