import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { Advice } from "./doctor/advice.ts";
import { examineConfig } from "./doctor/examine-config.ts";
import { examineMachine } from "./doctor/examine-machine.ts";
import { examineRedis } from "./doctor/examine-redis.ts";
import { examineServer } from "./doctor/examine-server.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `doctor [--backup PATH]`: examines the configuration, the data folder, Redis and the running
 * server, and prints errors and warnings. It changes nothing and needs no API key: it asks the
 * server as a visitor would. Errors are unsafe or broken in any case; warnings may be intended. It
 * never guesses: what it cannot see (whether other backups exist, a proxy that reads the body
 * before it responds) it does not report. Returns the exit code: 1 if there are errors, otherwise
 * 0.
 */
export async function doctorCommand(
  config: Config,
  rest: readonly string[],
  backup: string | undefined,
): Promise<number> {
  if (rest.length > 0) throw new UsageError("`doctor` takes options only.");
  const found = [
    ...examineConfig(config),
    ...examineMachine(config, backup === undefined ? undefined : resolve(backup)),
    ...(await examineRedis(config)),
    ...(await examineServer(config)),
  ];
  const wrongs = found.filter(({ weight }) => weight === "wrong");
  const cares = found.filter(({ weight }) => weight === "careful");
  tell("Wrong", wrongs);
  tell("To be sure of", cares);
  console.log(
    wrongs.length === 0
      ? "Nothing is wrong with what was looked at."
      : `${wrongs.length} ${wrongs.length === 1 ? "thing is" : "things are"} wrong.`,
  );
  return wrongs.length === 0 ? 0 : 1;
}

function tell(title: string, found: readonly Advice[]): void {
  if (found.length === 0) return;
  console.log(`${title}:`);
  for (const { what, remedy } of found) console.log(`- ${what}\n  ${remedy}`);
  console.log("");
}
