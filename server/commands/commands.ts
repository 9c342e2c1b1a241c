import { keyActions } from "../../contract/key-actions.ts";
import type { Config } from "../config/config.ts";
import { GRANT_ACTIONS } from "../domain/accounts.ts";
import type { Command } from "./command.ts";
import type { Options } from "./read-arguments.ts";
import { remoteCommands } from "./remote-commands.ts";

const table: Readonly<Record<string, Command>> = {
  serve: {
    usage: {
      "[serve]": "start the server; the configuration comes from the environment or a .env file",
    },
    run: local(async () => (await import("./serve.ts")).serveCommand),
  },
  // MinIO's command, for compose files that have it.
  server: {
    options: [
      "address",
      "console-address",
      "certs-dir",
      "config-dir",
      "quiet",
      "anonymous",
      "json",
    ],
    async run({ rest, options, config }) {
      const { minioArguments } = await import("./minio-arguments.ts");
      const overrides = minioArguments(rest, options);
      return (await import("./serve.ts")).serveCommand(await config(overrides), []);
    },
  },
  keys: {
    usage: {
      "keys create NAME [--folder KEY] [--actions LIST | --admin] [--expires-in SECONDS]": `create an API key and print it, only this once. --folder: limit it to a folder. --actions: what it may do, separated by commas, of ${keyActions.join(", ")}; default: list,read,write,delete,share. --admin: everything, as --actions admin`,
      "keys list": "list the API keys with their rights, without their secrets",
      "keys s3 ID":
        "print the credentials with which S3 clients act as this API key, as environment variables",
      "keys rotate ID [--keep-old DURATION]":
        "replace the secret of an API key and print the new one, only this once. --keep-old: how long the old one still works, such as 24h, at most 7d; default: not at all",
      "keys revoke ID": "revoke an API key and the keys that descend from it, immediately",
    },
    options: ["folder", "actions", "admin", "expires-in", "keep-old"],
    run: local(async () => (await import("./keys.ts")).keysCommand),
  },
  admin: {
    usage: {
      "admin reset-password [EMAIL] [--password TEXT] [--remove-second-factor]":
        "set a new password and end all sessions; without --password, generate and print one. --remove-second-factor: turn two-step sign-in off and remove the passkeys, too",
      "admin accounts": "list the accounts with their roles",
      "admin add-account EMAIL [--role owner|member] [--password TEXT]":
        "add an account; without --password, generate and print one. --role: default: member",
      "admin set-role EMAIL owner|member": "change the role of an account",
      "admin disable|enable|remove-account EMAIL":
        "disable, enable or remove an account; its sessions end at once, and what it has made reaches nothing",
      "admin invite [--role owner|member] [--folder KEY --actions LIST] [--expires-in SECONDS]":
        "print a link with which one person creates an account. --folder, --actions: a grant for it. --expires-in: default: 7 days",
      "admin invites": "list the open invitations",
      "admin remove-invite ID": "withdraw an invitation",
      "admin grants": "list what members may do in which folders",
      "admin grant EMAIL|--group NAME --folder KEY --actions LIST": `let a member, or a group of the sign-in provider, act on a folder (/: the root). --actions: separated by commas, of ${GRANT_ACTIONS.join(", ")}`,
      "admin remove-grant ID": "remove a grant",
    },
    options: [
      "password",
      "remove-second-factor",
      "role",
      "folder",
      "actions",
      "expires-in",
      "group",
    ],
    run: local(async () => (await import("./admin.ts")).adminCommand),
  },
  backup: {
    usage: {
      "backup PATH":
        "back up everything, as of one moment, into the folder PATH; later backups copy only new files",
    },
    run: local(async () => (await import("./backup.ts")).backupCommand),
  },
  restore: {
    usage: { "restore PATH": "fill an empty data folder from a backup" },
    run: local(async () => (await import("./restore.ts")).restoreCommand),
  },
  export: {
    usage: {
      "export PATH [--folder KEY] [--manifest FILE]":
        "write everything, or one folder, as plain files into PATH. --manifest: also write FILE with the SHA-256 of each file, for `sha256sum -c FILE` in PATH",
    },
    options: ["folder", "manifest"],
    run: local(async () => (await import("./export.ts")).exportCommand),
  },
  import: {
    usage: {
      "import PATH [--folder KEY] [--visibility public|private]":
        "add the files and folders in PATH",
      "import s3://BUCKET[/PREFIX] --endpoint URL [--region NAME] [--folder KEY] [--visibility public|private] [--dry-run] [--from-supabase]":
        "add the objects of a bucket with their headers, metadata, tags and visibility; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY may read it. Run it again to continue, or to import what is newer. --folder: default: one with the name of the bucket. --dry-run: only say what would happen",
      "import --from-vaze FOLDER [--dry-run]":
        "add the files, folders and API keys of a data folder of Vaze, whose URLs and keys go on working",
    },
    options: [
      "folder",
      "visibility",
      "endpoint",
      "region",
      "dry-run",
      "from-supabase",
      "from-vaze",
    ],
    run: async (call) => (await import("./import.ts")).importCommand(call),
  },
  migrate: {
    usage: {
      "migrate --to FILE":
        "move everything to other stores, such as PostgreSQL and S3: FILE has the variables of the new instance. Stop all servers first; this instance is not changed",
    },
    options: ["to"],
    run: local(async () => (await import("./migrate.ts")).migrateCommand),
  },
  verify: {
    usage: {
      "verify [--quick] [--json]":
        "read all files, compare them with their checksums and find orphaned blobs, with or without a running server. --quick: compare sizes only. Changes nothing. Exit code 0: no findings, 1: findings, 3: the check failed",
      "verify --repair [--json]":
        "the same, then repair: move orphaned blobs to DATA_PATH/quarantine, and remove records without contents from the catalog after writing them there, and recount quotas. Damaged files and other problems of the catalog stay as they are",
      "verify --last [--json]": "print the findings of the running server's last scrub",
    },
    options: ["repair", "json", "quick", "last"],
    run: async ({ config, rest, options }) => {
      const { repair = false, json = false, quick = false, last = false } = options;
      const { verifyCommand } = await import("./verify.ts");
      return verifyCommand(config, rest, { repair, json, quick, last });
    },
  },
  health: {
    usage: { health: "ask the running server whether it is ready. Exit code 0: yes, 1: no" },
    run: local(async () => (await import("./health.ts")).healthCommand),
  },
  doctor: {
    usage: {
      "doctor [--backup PATH]":
        "examine the configuration, the data folder, Redis and the running server, and print errors and warnings. Changes nothing. Exit code 0: no errors, 1: errors",
    },
    options: ["backup"],
    run: local(async () => (await import("./doctor.ts")).doctorCommand),
  },
  ...remoteCommands,
  // Started by `serve`, not by users.
  worker: { run: async () => (await import("./children/worker.ts")).workerCommand() },
  "image-process": {
    run: async () => (await import("./children/image-process.ts")).imageProcessCommand(),
  },
  "text-process": {
    run: async () => (await import("./children/text-process.ts")).textProcessCommand(),
  },
};

/** Every command by its name. Only the code of the one that runs is loaded, which is most of a start. */
export const commands: ReadonlyMap<string, Command> = new Map(Object.entries(table));

type LocalCommand = (config: Config, rest: readonly string[], options: Options) => unknown;

/** Runs a command that works on this instance. */
function local(load: () => Promise<LocalCommand>): Command["run"] {
  return async ({ config, rest, options }) => (await load())(await config(), rest, options);
}
