import { type KeyAction, keyActions } from "../../contract/key-actions.ts";
import { commandLine } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { parseDuration } from "../config/parse-units.ts";
import { parseKey, ROOT_KEY } from "../domain/names/name.ts";
import type { Key } from "../domain/records.ts";
import { escapeControlCharacters } from "../terminal/escape-control-characters.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { localHostOf } from "./local-host-of.ts";
import { printKeys } from "./print-keys.ts";
import type { Options } from "./read-arguments.ts";
import { byCommand, withCredentials } from "./with-credentials.ts";

type NewKeyOptions = Pick<Options, "folder" | "actions" | "admin" | "expires-in">;

/** `keys create NAME`, `keys list`, `keys s3 ID`, `keys rotate ID`, `keys revoke ID`: works with or without a running server. */
export async function keysCommand(
  config: Config,
  [verb, ...rest]: readonly string[],
  { "keep-old": keepOld, ...options }: NewKeyOptions & Pick<Options, "keep-old">,
): Promise<void> {
  const text = rest.join(" ").trim();
  if (verb !== "create" && Object.values(options).some((value) => value !== undefined)) {
    throw new UsageError("Only `keys create` takes --folder, --actions, --admin and --expires-in.");
  }
  if (verb !== "rotate" && keepOld !== undefined) {
    throw new UsageError("Only `keys rotate` takes --keep-old.");
  }
  if (verb === "list") {
    return withCredentials(config, async ({ keys }) => printKeys(await keys.list(), config));
  }
  if (verb === "create") return createKey(config, text, options);
  if (verb === "s3") return printS3Credentials(config, text);
  if (verb === "rotate") return rotateKey(config, text, keepOld);
  if (verb === "revoke") return revokeKey(config, text);
  throw new UsageError("`keys` takes create, list, s3, rotate or revoke.");
}

async function createKey(config: Config, name: string, options: NewKeyOptions): Promise<void> {
  if (name === "" || name.length > 100) {
    throw new UsageError("`keys create` takes a name of 1 to 100 characters.");
  }
  const wanted = {
    name,
    expiresIn: lifetime(options["expires-in"]),
    actions: parseActions(options),
    folder: parseFolder(options.folder),
  };
  return withCredentials(config, async ({ keys }, activity) => {
    const { record, secret } = await keys.create(wanted);
    activity.record(byCommand("createKey", { kind: "key", id: record.id, name: record.name }));
    console.error(`API key "${record.name}" (${record.id}), shown only this once:`);
    console.log(secret);
  });
}

/** As the variables that AWS's tools and SDKs read. */
async function printS3Credentials(config: Config, id: string): Promise<void> {
  if (id === "") {
    throw takesId("s3", config);
  }
  return withCredentials(config, async ({ keys, s3 }, activity) => {
    const key = (await keys.list()).find((each) => each.id === id);
    if (key === undefined) throw new Error(`There is no API key with the id ${id}.`);
    const { accessKeyId, secretAccessKey } = s3.credentialsOf(key);
    const origin = config.publicUrl ?? `http://${localHostOf(config.host)}:${config.port}`;
    activity.record(byCommand("revealS3Credentials", { kind: "key", id, name: key.name }));
    console.error(`S3 credentials of the API key "${escapeControlCharacters(key.name)}":`);
    console.log(`AWS_ACCESS_KEY_ID=${accessKeyId}`);
    console.log(`AWS_SECRET_ACCESS_KEY=${secretAccessKey}`);
    console.log(`AWS_ENDPOINT_URL=${new URL(origin).origin}`);
    console.log("AWS_REGION=us-east-1");
  });
}

async function rotateKey(config: Config, id: string, keepOld: string | undefined): Promise<void> {
  if (id === "") {
    throw takesId("rotate", config);
  }
  const oldSecretExpiresIn = secondsToKeep(keepOld);
  return withCredentials(config, async ({ keys }, activity) => {
    const { record, secret } = await keys.rotate({ id, oldSecretExpiresIn });
    activity.record(byCommand("rotateKey", { kind: "key", id, name: record.name }));
    const name = escapeControlCharacters(record.name);
    console.error(`New secret of the API key "${name}" (${id}), shown only this once:`);
    console.log(secret);
  });
}

async function revokeKey(config: Config, id: string): Promise<void> {
  if (id === "") {
    throw takesId("revoke", config);
  }
  return withCredentials(config, async ({ keys }, activity) => {
    const name = (await keys.list()).find((key) => key.id === id)?.name ?? null;
    const revoked = await keys.revoke(id);
    if (revoked.length === 0) throw new Error(`There is no API key with the id ${id}.`);
    activity.record(byCommand("revokeKey", { kind: "key", id, name }));
    for (const each of revoked) console.log(`Revoked ${each}.`);
  });
}

const takesId = (verb: string, config: Config): UsageError =>
  new UsageError(
    `\`keys ${verb}\` takes the id of a key, as in \`${commandLine(config, "keys list")}\`.`,
  );

function lifetime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (seconds < 1) throw new UsageError("--expires-in takes a whole number of seconds.");
  return seconds;
}

const MAX_KEPT_SECONDS = 7 * 86_400;

function secondsToKeep(text: string | undefined): number {
  if (text === undefined) return 0;
  const milliseconds = text === "0" ? 0 : parseDuration(text);
  const seconds = milliseconds === undefined ? Number.NaN : milliseconds / 1000;
  if (seconds <= MAX_KEPT_SECONDS) return seconds;
  throw new UsageError("--keep-old takes a duration of at most 7d, such as 1h, 24h or 7d.");
}

function parseFolder(text: string | undefined): { key: Key } | undefined {
  if (text === undefined) return undefined;
  const key = parseKey(text);
  if (key !== ROOT_KEY) return { key };
  throw new UsageError(
    "--folder takes the key of a folder, but is empty. To limit the key to no folder, leave it out.",
  );
}

function parseActions({ actions: text, admin = false }: NewKeyOptions): KeyAction[] | undefined {
  if (admin && text !== undefined) {
    throw new UsageError("`keys create` takes either --actions or --admin, not both.");
  }
  if (text === undefined) return admin ? ["admin"] : undefined;
  return text.split(",").map((part) => {
    const action = keyActions.find((known) => known === part.trim());
    if (action !== undefined) return action;
    throw new UsageError(
      `--actions takes names separated by commas, of ${keyActions.join(", ")}; "${part}" is none of them.`,
    );
  });
}
