import { afterAll } from "bun:test";
import { type Finished, removeFolder, run, type TestServer, temporaryFolder } from "./harness.ts";

/** The remote commands against a server, with a folder of their own for what they remember. */
export function remoteCommands(server: Pick<TestServer, "url" | "apiKey">) {
  const notes = temporaryFolder();
  afterAll(() => removeFolder(notes));
  const environment = {
    HOLDALL_URL: server.url,
    HOLDALL_KEY: server.apiKey,
    XDG_STATE_HOME: notes,
  };
  return {
    environment,
    holdall: (...args: string[]): Promise<Finished> => run(args, environment),
    /** The JSON lines that a command has printed. */
    lines: ({ stdout }: Finished): Record<string, unknown>[] =>
      stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
}
