import { isMissing } from "./reason-to-skip.fixture.ts";

const isRoot = process.getuid?.() === 0;

/** A command prefix that makes root respect file permissions. */
export const withoutRoot: readonly string[] = isRoot
  ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
  : [];

/** Whether this is root without a way to drop the capabilities. */
export const cannotDropRoot = isMissing("setpriv", !isRoot || Bun.which("setpriv") !== null);
