import type { Credentials } from "../../catalog/port/credentials.ts";
import type { People } from "../../catalog/port/people.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { AccountRecord, Millis, Role } from "../../domain/records.ts";
import { uuidV7 } from "../../runtime/uuid.ts";
import { hashSecret } from "../secrets.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { isNamed, type Person } from "./person.ts";

export interface AdmitDeps {
  readonly catalog: People & Pick<Credentials, "accountCount" | "apiKeys" | "claimSetting">;
  readonly settings: OidcSettings;
  readonly now: () => Millis;
}

/** The account of a person who signs in. */
export interface Admitted {
  readonly account: AccountRecord;
  /** The role that the account had until the settings gave it another one. */
  readonly formerRole?: Role | undefined;
}

/**
 * The account of a person, who may get it now: by an invitation, or because the settings name the person. An
 * account is found by the provider's subject only: whoever controls an email address at a provider does not get the
 * account that has it here. Faults: "forbidden" with "not_admitted"; "conflict" with "email_taken"; "gone": the
 * invitation was used.
 */
export function createAdmitPerson({ catalog, settings, now }: AdmitDeps) {
  const find = ({ issuer, subject }: Person) => catalog.accountByIdentity(issuer, subject);

  /** The settings decide on the role again at each sign-in, for those who sign in with nothing else. */
  async function withCurrentRole(account: AccountRecord, person: Person): Promise<Admitted> {
    const { passwordHash, disabledAt } = account;
    if (settings.owners.length === 0 || passwordHash !== "" || disabledAt !== null)
      return { account };
    const role = isNamed(person, settings.owners) ? "owner" : "member";
    if (role === account.role) return { account };
    try {
      const changed = await catalog.changeAccount({ id: account.id, role });
      return { account: changed, formerRole: account.role };
    } catch (error) {
      if (error instanceof Fault && error.code === "last_owner") return { account };
      throw error;
    }
  }

  async function add(person: Person, invitation: string | undefined): Promise<AccountRecord> {
    const isOwner = isNamed(person, settings.owners);
    // With a member alone, nobody could set the instance up.
    const isFirst = (await catalog.accountCount()) === 0;
    const isAllowed = isOwner || (!isFirst && isNamed(person, settings.allowed));
    if (invitation === undefined && !isAllowed) throw notAdmitted(person, isFirst);
    const { email, groups, issuer, subject } = person;
    if (email === undefined) throw withoutEmail();
    const createdAt = now();
    const added = { id: uuidV7(createdAt), email, passwordHash: "", createdAt };
    const identity = { issuer, subject };
    if (invitation !== undefined) {
      const tokenHash = hashSecret(invitation);
      return catalog.acceptInvite({ tokenHash, now: createdAt, account: added, identity });
    }
    const role = isOwner ? "owner" : "member";
    const account: AccountRecord = {
      ...added,
      role,
      disabledAt: null,
      groups,
      hasSecondFactor: false,
    };
    await catalog.addAccount(account, { identity });
    // A new instance keeps replaced content, as one that is set up with a password.
    if (isFirst && (await catalog.apiKeys()).length === 0) {
      await catalog.claimSetting("keepVersions", "true");
    }
    return account;
  }

  return async (person: Person, invitation: string | undefined): Promise<Admitted> => {
    let account = await find(person);
    try {
      account ??= await add(person, invitation);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "conflict") throw error;
      // The same person may have come back twice at once.
      account = await find(person);
      if (account === undefined) throw emailTaken(person);
    }
    return withCurrentRole(account, person);
  };
}

const notAdmitted = ({ subject }: Person, isFirst: boolean): Fault =>
  new Fault(
    "forbidden",
    isFirst
      ? "This server is not set up yet: open the setup link that it has printed, or name yourself in OIDC_OWNERS."
      : `You have no account here. Ask an owner of this server for an invitation. The provider knows you as “${subject}”.`,
    { code: "not_admitted" },
  );

const withoutEmail = (): Fault =>
  new Fault(
    "forbidden",
    "The provider has not given your email address, which a new account needs. Ask who manages the provider to add it.",
    { code: "not_admitted" },
  );

const emailTaken = ({ email }: Person): Fault =>
  new Fault(
    "conflict",
    `Another account has the address ${email}. If it is yours, sign in to it and connect the provider in Settings → Security. Otherwise, ask an owner of this server.`,
    { code: "email_taken" },
  );
