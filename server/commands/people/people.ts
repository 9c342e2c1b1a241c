import type { Access } from "../../access/access.ts";
import type { ListedAccount } from "../../access/people/members.ts";
import type { Config } from "../../config/config.ts";
import { GRANT_ACTIONS, type GrantAction } from "../../domain/accounts.ts";
import { parseKey } from "../../domain/names/name.ts";
import { ROLES, type Role } from "../../domain/records.ts";
import { timestamp } from "../../domain/timestamp.ts";
import { escapeControlCharacters } from "../../terminal/escape-control-characters.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { localHostOf } from "../local-host-of.ts";
import { printTable } from "../print-table.ts";
import type { Options } from "../read-arguments.ts";
import { byCommand, withCredentials } from "../with-credentials.ts";

/** The arguments of the verbs of `admin` that are about people. */
interface Given {
  readonly config: Config;
  readonly rest: readonly string[];
  readonly options: Options;
}

type Verb = (given: Given) => Promise<void>;

/** The verbs of `admin` that are about people, which work with or without a running server. */
export const peopleVerbs: Readonly<Record<string, Verb>> = {
  accounts: ({ config, rest }) => {
    takes(rest, 0, "accounts", "");
    return withCredentials(config, async ({ members }) => printAccounts(await members.accounts()));
  },
  "add-account": ({ config, rest, options: { role, password } }) => {
    const [email = ""] = takes(rest, 1, "add-account", "an email address");
    if (password !== undefined && (password.length < 8 || password.length > 256)) {
      throw new UsageError("A password must have 8 to 256 characters.");
    }
    const wanted = { email, role: parseRole(role), password };
    return withCredentials(config, async ({ members }, activity) => {
      const made = await members.create(wanted);
      const { id, email: name } = made.account;
      activity.record(
        byCommand("createAccount", { kind: "account", id, name }, { role: wanted.role }),
      );
      console.error(`Added the account ${name} (${wanted.role}).`);
      if (made.password !== null) console.log(made.password);
    });
  },
  "set-role": (given) => {
    const [email = "", role] = takes(given.rest, 2, "set-role", "an email address and a role");
    return changeAccount(given, email, { role: parseRole(role) });
  },
  disable: (given) => {
    const [email = ""] = takes(given.rest, 1, "disable", "an email address");
    return changeAccount(given, email, { disabledAt: Date.now() });
  },
  enable: (given) => {
    const [email = ""] = takes(given.rest, 1, "enable", "an email address");
    return changeAccount(given, email, { disabledAt: null });
  },
  "remove-account": ({ config, rest }) => {
    const [email = ""] = takes(rest, 1, "remove-account", "an email address");
    return withCredentials(config, async ({ members }, activity) => {
      const { id } = await find(members, email);
      const { account, keys } = await members.removeAccount(id);
      const subject = { kind: "account", id, name: account.email } as const;
      activity.record(byCommand("removeAccount", subject, { keys: keys.length }));
      console.log(`Removed ${account.email} and ${keys.length} API keys.`);
    });
  },
  invite: ({ config, rest, options }) => {
    takes(rest, 0, "invite", "no arguments but options");
    const role = parseRole(options.role);
    const grants = options.folder === undefined ? [] : [parseGrant("invite", options)];
    if (role === "owner" && grants.length > 0) {
      throw new UsageError("Owners may do everything: leave out --folder.");
    }
    const expiresIn = parseSeconds(options["expires-in"]);
    return withCredentials(config, async ({ members }, activity) => {
      const { invite, token } = await members.invite({ role, grants, expiresIn, maker: null });
      const subject = { kind: "account", id: null, name: null } as const;
      activity.record(byCommand("createInvite", subject, { role, grants: grants.length }));
      console.error(`Invitation (${role}), valid until ${timestamp(invite.expiresAt)} UTC:`);
      const base = config.publicUrl ?? `http://${localHostOf(config.host)}:${config.port}`;
      console.log(`${base}/invite#${token}`);
    });
  },
  invites: ({ config, rest }) => {
    takes(rest, 0, "invites", "");
    return withCredentials(config, async ({ members }) => {
      const rows = (await members.invites()).map((invite) => [
        invite.id,
        invite.role,
        String(invite.grants.length),
        timestamp(invite.expiresAt),
        invite.makerName ?? "-",
      ]);
      printTable(["ID", "ROLE", "GRANTS", "EXPIRES", "INVITED BY"], rows);
    });
  },
  "remove-invite": ({ config, rest }) => {
    const [id = ""] = takes(rest, 1, "remove-invite", "the id of an invitation");
    return withCredentials(config, async ({ members }, activity) => {
      const removed = await members.removeInvite(id);
      if (removed === undefined) throw new Error(`There is no invitation with the id ${id}.`);
      activity.record(byCommand("removeInvite", { kind: "account", id: null, name: null }));
      console.log(`Withdrew ${id}.`);
    });
  },
  grants: ({ config, rest }) => {
    takes(rest, 0, "grants", "");
    return withCredentials(config, async ({ members }) => {
      const emails = new Map((await members.accounts()).map(({ id, email }) => [id, email]));
      const rows = (await members.grants()).map((grant) => [
        grant.id,
        grant.accountId === null
          ? `group ${escapeControlCharacters(grant.group)}`
          : (emails.get(grant.accountId) ?? grant.accountId),
        grant.folderKey === null
          ? "(in the trash)"
          : `/${escapeControlCharacters(grant.folderKey)}`,
        grant.actions.join(","),
      ]);
      printTable(["ID", "FOR", "FOLDER", "ACTIONS"], rows);
    });
  },
  grant: ({ config, rest, options }) => {
    const { group } = options;
    const [email = ""] = takes(
      rest,
      group === undefined ? 1 : 0,
      "grant",
      "an email address, or --group",
    );
    const grant = parseGrant("grant", options);
    return withCredentials(config, async ({ members }, activity) => {
      const grantee =
        group === undefined
          ? { accountId: (await find(members, email)).id, group: null }
          : { accountId: null, group };
      const { id, accountId, folderKey, actions } = await members.grant({ ...grantee, ...grant });
      const detail = { folder: folderKey, actions: actions.join(", ") };
      const subject = { kind: "account", id: accountId, name: group ?? email } as const;
      activity.record(byCommand("createGrant", subject, detail));
      console.log(id);
    });
  },
  "remove-grant": ({ config, rest }) => {
    const [id = ""] = takes(rest, 1, "remove-grant", "the id of a grant");
    return withCredentials(config, async ({ members }, activity) => {
      const grant = await members.removeGrant(id);
      if (grant === undefined) throw new Error(`There is no grant with the id ${id}.`);
      const subject = { kind: "account", id: grant.accountId, name: grant.group } as const;
      activity.record(byCommand("removeGrant", subject, { folder: grant.folderKey }));
      console.log(`Removed ${id}.`);
    });
  },
};

/** UsageError: there are not as many arguments. */
function takes(
  rest: readonly string[],
  count: number,
  verb: string,
  what: string,
): readonly string[] {
  if (rest.length === count) return rest;
  throw new UsageError(
    `\`admin ${verb}\` takes ${count === 0 && what === "" ? "no arguments" : what}.`,
  );
}

async function changeAccount(
  { config }: Given,
  email: string,
  change: { readonly role?: Role; readonly disabledAt?: number | null },
): Promise<void> {
  await withCredentials(config, async ({ members }, activity) => {
    const { id } = await find(members, email);
    const account = await members.changeAccount({ id, ...change });
    const { role, disabledAt } = account;
    const detail = { role, disabled: disabledAt !== null };
    activity.record(
      byCommand("changeAccount", { kind: "account", id, name: account.email }, detail),
    );
    console.log(`${account.email}: ${role}${disabledAt === null ? "" : ", disabled"}`);
  });
}

/** Error: no account has the address. */
async function find(
  members: Pick<Access["members"], "accounts">,
  email: string,
): Promise<ListedAccount> {
  const address = email.trim().toLowerCase();
  const account = (await members.accounts()).find((each) => each.email === address);
  if (account === undefined) throw new Error(`There is no account with the address ${address}.`);
  return account;
}

function printAccounts(accounts: readonly ListedAccount[]): void {
  const rows = accounts.map((account) => [
    account.email,
    account.role,
    account.disabledAt === null ? "-" : "disabled",
    account.hasSecondFactor || account.passkeys > 0 ? "yes" : "no",
    timestamp(account.createdAt),
    account.id,
  ]);
  printTable(["EMAIL", "ROLE", "STATE", "SECOND FACTOR", "CREATED", "ID"], rows);
}

function parseRole(text: string | undefined): Role {
  const role = ROLES.find((known) => known === (text ?? "member"));
  if (role === undefined) throw new UsageError("A role is owner or member.");
  return role;
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (seconds < 60 || seconds > 2_592_000) {
    throw new UsageError("--expires-in takes 60 to 2592000 seconds, which is 30 days.");
  }
  return seconds;
}

/** UsageError: a folder or actions are missing, or an action is unknown. `/` is the root. */
function parseGrant(verb: string, { folder, actions }: Options) {
  if (folder === undefined || folder === "" || actions === undefined) {
    throw new UsageError(`\`admin ${verb}\` needs --folder and --actions.`);
  }
  const wanted = actions.split(",").map((part): GrantAction => {
    const action = GRANT_ACTIONS.find((known) => known === part.trim());
    if (action !== undefined) return action;
    throw new UsageError(
      `--actions takes names separated by commas, of ${GRANT_ACTIONS.join(", ")}; "${part}" is none of them.`,
    );
  });
  const inOrder = GRANT_ACTIONS.filter((action) => wanted.includes(action));
  return { folder: { key: parseKey(folder) }, actions: inOrder };
}
