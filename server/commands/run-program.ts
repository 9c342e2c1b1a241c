import { type Config, ConfigError } from "../config/config.ts";
import type { Environment } from "../config/environment-reader.ts";
import { readBucketAddress } from "../config/read-bucket-address.ts";
import { readRemoteServer } from "../config/read-remote-server.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { version } from "../version.ts";
import type { Command } from "./command.ts";
import { describeError } from "./describe-error.ts";
import { type Options, readArguments } from "./read-arguments.ts";

export interface Program {
  readonly commands: ReadonlyMap<string, Command>;
  /** For the help: what the program is. */
  readonly about: string;
  /** The command that runs if none is given. */
  readonly defaultCommand: string;
  /**
   * Reads the configuration of this machine's instance; variables in `overrides` replace those of the
   * environment. Rejects with `ConfigError`.
   */
  readonly config: (overrides?: Environment) => Promise<Config>;
}

/** Runs the command that the arguments name. Prints its error and ends the process if it fails. */
export async function runProgram(program: Program): Promise<void> {
  await run(program).catch((error: unknown) => {
    if (error instanceof UsageError) {
      console.error(`${error.message} Try: holdall help`);
      process.exit(2);
    }
    if (error instanceof ConfigError) console.error(error.message);
    else console.error(`Holdall stopped: ${describeError(error)}`);
    process.exit(1);
  });
}

async function run({ commands, about, defaultCommand, config }: Program): Promise<void> {
  const { positionals, values: options } = readArguments();
  // MinIO's image takes `minio server /data` as well as `server /data`.
  const isMinio = positionals[0] === "minio" && positionals[1] === "server";
  const [name = defaultCommand, ...rest] = isMinio ? positionals.slice(1) : positionals;
  if (options.help || name === "help") return print(helpText(commands, version, about));
  if (options.version || name === "version") return print(`${version}\n`);
  const command = commands.get(name);
  rejectUnsupportedOptions(name, command?.options ?? [], options);
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  const code = await command.run({
    rest,
    options,
    config,
    remoteServer: () => readRemoteServer(process.env),
    bucketAddress: (bucket) => readBucketAddress(process.env, bucket),
  });
  if (typeof code === "number") process.exitCode = code;
}

/** Error: the command does not support one of the options, which must not be ignored silently. */
function rejectUnsupportedOptions(
  name: string,
  allowed: readonly string[],
  options: Options,
): void {
  const unsupported = Object.keys(options).find((each) => !allowed.includes(each));
  if (unsupported !== undefined) throw new UsageError(`\`${name}\` takes no --${unsupported}.`);
}

function print(text: string): void {
  process.stdout.write(text);
}

const INDENT = 39;
const WIDTH = 100;

/** The text of `holdall help`. `about` says what the program is. */
function helpText(commands: ReadonlyMap<string, Command>, version: string, about: string): string {
  const usage = [...commands.values()].flatMap((command) => Object.entries(command.usage ?? {}));
  const lines = usage.flatMap(([form, meaning]) => usageLines(`  holdall ${form}`, meaning));
  return `Holdall ${version}: ${about}.\n\n${lines.join("\n")}\n  holdall help | version\n`;
}

/** Lays a command and its meaning out in two columns. A form that is too long for its column gets its own line. */
function usageLines(form: string, meaning: string): string[] {
  const [first = "", ...more] = wrap(meaning);
  const indent = " ".repeat(INDENT);
  const rest = more.map((line) => `${indent}${line}`);
  if (form.length < INDENT) return [`${form.padEnd(INDENT)}${first}`, ...rest];
  return [form, `${indent}${first}`, ...rest];
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && INDENT + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
