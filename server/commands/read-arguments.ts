import { parseArgs } from "node:util";
import { UsageError } from "../terminal/usage-error.ts";

/**
 * The command line. Throws `UsageError` when an option is unknown, repeated or lacks its value, or when npm has kept one
 * for itself.
 */
export function readArguments() {
  rejectKeptByNpm(process.env);
  const { tokens, ...parsed } = parse();
  const names = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given more than once.`);
  return parsed;
}

const OPTIONS = {
  "expires-in": { type: "string" },
  actions: { type: "string" },
  admin: { type: "boolean" },
  role: { type: "string" },
  group: { type: "string" },
  "keep-old": { type: "string" },
  "remove-second-factor": { type: "boolean" },
  expires: { type: "string" },
  folder: { type: "string" },
  manifest: { type: "string" },
  endpoint: { type: "string" },
  region: { type: "string" },
  "dry-run": { type: "boolean" },
  "from-supabase": { type: "boolean" },
  "from-vaze": { type: "string" },
  visibility: { type: "string" },
  password: { type: "string" },
  title: { type: "string" },
  uses: { type: "string" },
  "max-bytes": { type: "string" },
  "max-files": { type: "string" },
  backup: { type: "string" },
  to: { type: "string" },
  "on-conflict": { type: "string" },
  "download-only": { type: "boolean" },
  drop: { type: "boolean" },
  empty: { type: "boolean" },
  forever: { type: "boolean" },
  by: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  recursive: { type: "boolean", short: "r" },
  text: { type: "boolean" },
  repair: { type: "boolean" },
  revoke: { type: "boolean" },
  secret: { type: "string" },
  share: { type: "boolean" },
  json: { type: "boolean" },
  // MinIO's.
  address: { type: "string" },
  "console-address": { type: "string" },
  "certs-dir": { type: "string", short: "S" },
  "config-dir": { type: "string", short: "C" },
  quiet: { type: "boolean" },
  anonymous: { type: "boolean" },
  quick: { type: "boolean" },
  last: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

function parse() {
  try {
    return parseArgs({ allowPositionals: true, tokens: true, options: OPTIONS });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(". ")[0]}.`);
  }
}

/**
 * `npm run holdall keys create x --admin` takes `--admin` for an option of npm's own, which the environment tells: without
 * it, the command would do something else than was asked for. npm takes `--to` for the beginning of `--token-description`.
 * Only `--expires` leaves no trace.
 */
function rejectKeptByNpm(env: NodeJS.ProcessEnv): void {
  if (env.npm_lifecycle_event !== "holdall") return;
  const given = Object.keys(env);
  const kept = Object.keys(OPTIONS).find((name) =>
    given.some((each) => each.startsWith(`npm_config_${name.replaceAll("-", "_")}`)),
  );
  if (kept === undefined) return;
  throw new UsageError(
    `npm has kept --${kept} for itself. Put -- before the arguments (npm run holdall -- …), and take it out of .npmrc if it is there.`,
  );
}

export type Options = ReturnType<typeof readArguments>["values"];
