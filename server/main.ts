import { parseArgs } from "node:util";
import { adminCommand } from "./commands/admin.ts";
import { backupCommand } from "./commands/backup.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { exportCommand } from "./commands/export.ts";
import { healthCommand } from "./commands/health.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { UsageError } from "./commands/usage-error.ts";
import { verifyCommand } from "./commands/verify.ts";
import { workerCommand } from "./commands/worker.ts";
import { ConfigError } from "./config/config.ts";
import { readConfig } from "./config/read-config.ts";
import { version } from "./version.ts";

const USAGE = `Holdall ${version}: file hosting on a machine of your own.

  holdall [serve]                      serve (settings come from the environment, or a .env file)
  holdall keys create NAME [--expires-in SECONDS]
                                       make an API key and print it, this once
  holdall keys list                    the API keys, without their secrets
  holdall keys revoke ID               end an API key at once
  holdall admin reset-password [EMAIL] set a new password and end all sessions
                                       (--password TEXT, or one is made and printed)
  holdall backup PATH                  copy everything, as of one moment, into the folder PATH;
                                       again: copy what is new
  holdall restore PATH                 fill an empty data folder from a backup
  holdall export PATH [--folder KEY]   write everything, or a folder, as plain files into PATH
  holdall import PATH [--folder KEY] [--visibility public|private]
                                       take in the files and folders in PATH
  holdall migrate --to FILE            move everything to other stores, such as PostgreSQL and S3: FILE
                                       has the variables that the new place will be served with.
                                       Servers must be stopped; nothing here is changed
  holdall verify [--quick] [--json]    read every file's bytes and compare them with what was stored;
                                       look for bytes of nobody. Beside a running server or without
                                       one. --quick: sizes only. Changes nothing. Ends with 0: nothing
                                       is wrong, 1: something is, 3: it could not be checked
  holdall verify --repair [--json]     the same, and then: bytes of nobody are moved into
                                       DATA_PATH/quarantine, never deleted; records whose bytes are
                                       gone are written there and taken out of the catalog. Damaged
                                       files, and the catalog otherwise, stay as they are
  holdall verify --last [--json]       what the last scrub of the running server found
  holdall health                       ask the running server whether it can serve. Ends with 0: yes, 1: no
  holdall doctor [--backup PATH]       look at the configuration, the data folder, Redis and the
                                       running server, and say what is unsafe or does not work. Changes
                                       nothing. Ends with 0: nothing is wrong, 1: something is
  holdall help | version
`;

async function run(): Promise<void> {
  const { positionals, values } = readArguments();
  const [command = "serve", ...rest] = positionals;
  if (values.help || command === "help") return print(USAGE);
  if (values.version || command === "version") return print(`${version}\n`);

  refuseForeignOptions(command, values);
  if (command === "worker") return workerCommand();
  const settings = () => readConfig(process.env);
  if (command === "verify") {
    const { repair = false, json = false, quick = false, last = false } = values;
    process.exitCode = await verifyCommand(settings, rest, { repair, json, quick, last });
    return;
  }
  const config = settings();
  if (command === "doctor") {
    process.exitCode = await doctorCommand(config, rest, values.backup);
    return;
  }
  if (command === "serve") return serveCommand(config, rest);
  if (command === "health") {
    process.exitCode = await healthCommand(config, rest);
    return;
  }
  if (command === "keys") return keysCommand(config, rest, values["expires-in"]);
  if (command === "backup") return backupCommand(config, rest);
  if (command === "export") return exportCommand(config, rest, values.folder);
  if (command === "import") {
    return importCommand(config, rest, { folder: values.folder, visibility: values.visibility });
  }
  if (command === "migrate") return migrateCommand(config, rest, values.to);
  if (command === "restore") return restoreCommand(config, rest);
  if (command === "admin") return adminCommand(config, rest, values.password);
  throw new UsageError(`There is no command "${command}".`);
}

/** Which options each command takes. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  keys: ["expires-in"],
  admin: ["password"],
  export: ["folder"],
  doctor: ["backup"],
  import: ["folder", "visibility"],
  migrate: ["to"],
  verify: ["repair", "json", "quick", "last"],
};

/** An option that is passed over would be a promise that is not kept. */
function refuseForeignOptions(command: string, values: object): void {
  const foreign = Object.keys(values).find((name) => !OPTIONS[command]?.includes(name));
  if (foreign !== undefined) throw new UsageError(`\`${command}\` takes no --${foreign}.`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        "expires-in": { type: "string" },
        folder: { type: "string" },
        visibility: { type: "string" },
        password: { type: "string" },
        backup: { type: "string" },
        to: { type: "string" },
        repair: { type: "boolean" },
        json: { type: "boolean" },
        quick: { type: "boolean" },
        last: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(". ")[0]}.`);
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

try {
  await run();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message} Try: holdall help`);
    process.exit(2);
  }
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(`Holdall stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
