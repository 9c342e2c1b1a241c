import type { IdentityRecord } from "../../domain/accounts.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { AccountRecord, Millis, SessionRecord } from "../../domain/records.ts";
import type { Outgoing } from "../../outgoing/outgoing.ts";
import { sleep } from "../../runtime/sleep.ts";
import { checkThrottled } from "../check-throttled.ts";
import type { PasswordThrottle } from "../password-throttle.ts";
import { providerSubject } from "../throttle-subjects.ts";
import { type AdmitDeps, type Admitted, createAdmitPerson } from "./admit-person.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { createPendingSignIns, type Purpose } from "./pending-sign-ins.ts";
import type { Person } from "./person.ts";
import { createProvider } from "./provider.ts";

/** Signing in with the provider of the instance. Faults of all that asks it: those of `Provider`. */
export interface Oidc {
  readonly providerName: string;
  /** Begins a sign-in, or a connection. */
  begin(purpose: Purpose): Promise<BegunSignIn>;
  /**
   * Ends what `begin` has begun. Faults: "invalid" and "unauthorized" with "sign_in_expired"; "forbidden" with
   * "not_admitted" or "account_disabled"; "conflict" with "email_taken" or "identity_taken"; "rate_limited".
   */
  finish(callback: Callback): Promise<FinishedSignIn>;
  /** The URL at which the browser signs out at the provider, too. null: there is none, or the provider does not answer. */
  signOutUrl(): Promise<string | null>;
  identitiesOf(accountId: string): Promise<IdentityRecord[]>;
  /** Faults: "not_found"; "conflict": nothing else signs in to the account. */
  disconnect(
    account: AccountRecord,
    identity: Pick<IdentityRecord, "issuer" | "subject">,
  ): Promise<void>;
}

export interface BegunSignIn {
  /** The page of the provider. */
  readonly url: string;
  /** The value of the cookie that the browser brings back. */
  readonly sealed: string;
}

export interface Callback {
  /** undefined: the browser has no cookie of a pending sign-in. */
  readonly sealed: string | undefined;
  readonly query: URLSearchParams;
  /** The client's address. */
  readonly client: string;
  /** The session of the browser, which a connection needs. */
  readonly signedIn:
    | { readonly account: AccountRecord; readonly session: SessionRecord }
    | undefined;
}

export interface FinishedSignIn extends Admitted {
  readonly kind: "signed in" | "connected";
  readonly groups: readonly string[];
  readonly returnTo: string;
}

export interface OidcDeps {
  readonly settings: OidcSettings;
  readonly catalog: AdmitDeps["catalog"];
  readonly outgoing: Pick<Outgoing, "send">;
  readonly throttle: PasswordThrottle;
  /** Groups client addresses for the throttle: IPv6 addresses by their network. */
  readonly clientKey: (address: string) => string;
  /** AUTH_SECRET, with which pending sign-ins are sealed. */
  readonly secret: () => string;
  /** The address of this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly now: () => Millis;
  readonly onError: (message: string, cause: unknown) => void;
}

const SIGN_OUT_MS = 2000;

export function createOidc(deps: OidcDeps): Oidc {
  const { settings, catalog, throttle, clientKey, secret, now } = deps;
  const provider = createProvider(deps);
  const pendingSignIns = createPendingSignIns(secret, now);
  const admitPerson = createAdmitPerson({ catalog, settings, now });

  async function connect(person: Person, account: AccountRecord): Promise<void> {
    const { issuer, subject } = person;
    try {
      await catalog.addIdentity({ accountId: account.id, issuer, subject, createdAt: now() });
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "conflict") throw error;
      const other = await catalog.accountByIdentity(issuer, subject);
      if (other?.id !== account.id) throw identityTaken();
    }
  }

  return {
    providerName: settings.name,
    async begin(purpose) {
      const { sealed, attempt } = pendingSignIns.begin(purpose);
      return { sealed, url: await provider.authorizationUrl(attempt) };
    },
    async finish({ sealed, query, client, signedIn }) {
      const pending = sealed === undefined ? undefined : pendingSignIns.open(sealed);
      // Not counted as a failure: pages of other sites can send a browser here.
      if (pending === undefined) throw expired("invalid");
      const { attempt, connectSession, invitation, returnTo } = pending;
      const isSession = connectSession === undefined || connectSession === signedIn?.session.id;
      if (!isSession) throw expired("invalid");
      const person = await checkThrottled(throttle, [providerSubject(clientKey(client))], () => {
        if (query.get("state") !== attempt.state) throw expired("unauthorized");
        return provider.redeem(query, attempt);
      });
      const { groups } = person;
      if (connectSession !== undefined && signedIn !== undefined) {
        await connect(person, signedIn.account);
        return { kind: "connected", account: signedIn.account, groups, returnTo };
      }
      const admitted = await admitPerson(person, invitation);
      return { kind: "signed in", ...admitted, groups, returnTo };
    },
    // Nobody waits for a provider that is down in order to sign out.
    signOutUrl: () =>
      Promise.race([provider.signOutUrl().catch(() => null), sleep(SIGN_OUT_MS).then(() => null)]),
    identitiesOf: catalog.identitiesOf,
    async disconnect(account, { issuer, subject }) {
      const identities = await catalog.identitiesOf(account.id);
      if (account.passwordHash === "" && identities.length < 2) {
        throw new Fault("conflict", "Nothing else signs in to this account.");
      }
      const { id: accountId } = account;
      if (await catalog.removeIdentity({ accountId, issuer, subject })) return;
      throw new Fault("not_found", "The account is not connected with this one of a provider.");
    },
  };
}

const expired = (kind: "invalid" | "unauthorized"): Fault =>
  new Fault(kind, "This sign-in took too long, or began in another window. Begin again.", {
    code: "sign_in_expired",
  });

const identityTaken = (): Fault =>
  new Fault(
    "conflict",
    "Your account at the provider signs in to another account here. Disconnect it there first.",
    { code: "identity_taken" },
  );
