import { parseArgs } from "node:util";
import { UsageError } from "../terminal/usage-error.ts";

/** The command line. Throws `UsageError` when an option is unknown, repeated or lacks its value. */
export function readArguments() {
  const { tokens, ...parsed } = parse();
  const names = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given more than once.`);
  return parsed;
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      tokens: true,
      options: {
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
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(". ")[0]}.`);
  }
}

export type Options = ReturnType<typeof readArguments>["values"];
