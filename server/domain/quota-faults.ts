import { Fault } from "./fault.ts";

interface Excess {
  readonly max: number;
  readonly used: number;
  readonly added: number;
}

const explain = ({ max, used, added }: Excess, what: "bytes" | "files"): string =>
  `The quota of the folder is ${max} ${what}, of which ${used} are used, so ${added} more do not fit. Its trash and earlier versions count too.`;

/** Fault "quota_exceeded". */
export const bytesExceeded = (excess: Excess): Fault =>
  new Fault("quota_exceeded", explain(excess, "bytes"), {
    details: { limit: excess.max, used: excess.used },
  });

/** Fault "quota_exceeded". */
export const filesExceeded = (excess: Excess): Fault =>
  new Fault("quota_exceeded", explain(excess, "files"), {
    details: { limitFiles: excess.max, usedFiles: excess.used },
  });
