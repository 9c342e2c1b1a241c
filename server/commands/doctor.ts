import { resolve } from "node:path";
import type { Advice } from "../config/advice.ts";
import type { Config } from "../config/config.ts";
import { examineConfig } from "../config/examine-config.ts";
import { countText } from "../terminal/amounts.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { examineMachine } from "./doctor/examine-machine.ts";
import { examineRedis } from "./doctor/examine-redis.ts";
import { examineServer } from "./doctor/examine-server.ts";
import type { Options } from "./read-arguments.ts";

/**
 * `doctor [--backup PATH]`: examines the configuration, the data folder, Redis and the running
 * server, and prints errors and warnings. Changes nothing and needs no API key: it sends the
 * requests of an anonymous visitor. Errors are always unsafe or broken; warnings may be intended. It
 * does not guess: it reports nothing about what it cannot see, such as other backups or a proxy that
 * reads the body before it responds. Returns the exit code: 1 if there are errors, otherwise 0.
 */
export async function doctorCommand(
  config: Config,
  rest: readonly string[],
  { backup }: Options,
): Promise<number> {
  if (rest.length > 0) throw new UsageError("`doctor` takes options only.");
  const found = [
    ...examineConfig(config),
    ...examineMachine(config, backup === undefined ? undefined : resolve(backup)),
    ...(await examineRedis(config)),
    ...(await examineServer(config)),
  ];
  const errors = found.filter(({ severity }) => severity === "error");
  print("Errors", errors);
  print(
    "Warnings",
    found.filter(({ severity }) => severity === "warning"),
  );
  console.log(
    errors.length === 0 ? "No errors found." : `${countText(errors.length, "error")} found.`,
  );
  return errors.length === 0 ? 0 : 1;
}

function print(title: string, found: readonly Advice[]): void {
  if (found.length === 0) return;
  console.log(`${title}:`);
  for (const { problem, remedy } of found) console.log(`- ${problem}\n  ${remedy}`);
  console.log("");
}
