import { commands } from "./commands/commands.ts";
import { helpText } from "./commands/help-text.ts";
import { type Options, readArguments } from "./commands/read-arguments.ts";
import { ConfigError } from "./config/config.ts";
import { readRemoteServer } from "./config/read-remote-server.ts";
import { UsageError } from "./terminal/usage-error.ts";
import { version } from "./version.ts";

async function run(): Promise<void> {
  const { positionals, values: options } = readArguments();
  const [name = "serve", ...rest] = positionals;
  if (options.help || name === "help") return print(helpText(version));
  if (options.version || name === "version") return print(`${version}\n`);
  const command = commands.get(name);
  rejectUnsupportedOptions(name, command?.options ?? [], options);
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  const code = await command.run({
    rest,
    options,
    config: async () => (await import("./config/read-config.ts")).readConfig(process.env),
    remoteServer: () => readRemoteServer(process.env),
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

// Bytecode, which the tests use, does not support a top-level await.
run().catch((error: unknown) => {
  if (error instanceof UsageError) {
    console.error(`${error.message} Try: holdall help`);
    process.exit(2);
  }
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(`Holdall stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
