import { CannotRun, type Row } from "../trial.ts";

/** How clients reach the server under test. */
export interface ClientSetup {
  /** Without a trailing slash. */
  readonly url: string;
  readonly where: string;
  /** For temporary files. */
  readonly folder: string;
  /** Approximate size of the downloads in bytes. */
  readonly size: number;
  /** A command prefix, for clients that run in another network namespace. */
  readonly commandPrefix?: readonly string[];
}

/** The result of one kind of client. */
export interface ClientResult {
  readonly tries: number;
  /** Downloads that completed with wrong bytes. */
  readonly lost: number;
  readonly problems: readonly string[];
  readonly note: string;
}

/** The row of one kind of client. A client that cannot run here has failed. */
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
