import { CannotRun, type Row } from "../trial.ts";

/** Where clients reach a server, and how. */
export interface ClientSetup {
  /** Without a slash at the end. */
  readonly url: string;
  readonly where: string;
  /** For files that come and go. */
  readonly folder: string;
  /** Bytes of what they fetch, about. */
  readonly size: number;
  /** Begins the command, where the clients do not run right here. */
  readonly commandPrefix?: readonly string[];
}

/** How one kind of client fared. */
export interface ClientResult {
  readonly tries: number;
  /** Those that ended well, with other bytes. */
  readonly lost: number;
  readonly problems: readonly string[];
  readonly note: string;
}

/** The row of one kind of client; what could not be tried here has not passed. */
export async function clientRow(fault: string, fare: () => Promise<ClientResult>): Promise<Row> {
  const from = performance.now();
  try {
    const fared = await fare();
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    return { fault, ...fared, leftovers: 0, note: `${fared.note} in ${seconds} s` };
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    const problems = [`could not be run here. ${error.message}`];
    return { fault, tries: 0, lost: 0, leftovers: 0, problems };
  }
}
