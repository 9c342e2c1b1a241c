import type { AdmissionRule, OidcSettings } from "./oidc-settings.ts";

/** Whom the provider has signed in. */
export interface Person {
  /** The provider. An account is found by this and `subject` only. */
  readonly issuer: string;
  readonly subject: string;
  /** In lower case; undefined: the provider gave none. */
  readonly email: string | undefined;
  /** Whether the provider says that it has verified the address. */
  readonly isEmailVerified: boolean;
  readonly groups: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

/** So that a session's row stays small. */
const MAX_GROUPS = 1000;
const MAX_GROUP_LENGTH = 256;

/** The claims of the ID token come before those of the user info. */
export function personOf(
  issuer: string,
  subject: string,
  claims: Claims,
  { groupsClaim }: Pick<OidcSettings, "groupsClaim">,
): Person {
  const { email } = claims;
  const isAddress = isPlain(email) && email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email);
  return {
    issuer,
    subject,
    email: isAddress ? email.toLowerCase() : undefined,
    // Text such as "false" is not a yes.
    isEmailVerified: claims.email_verified === true,
    groups: groupsOf(claims[groupsClaim]),
  };
}

/**
 * Whether the catalog stores it as it is: UTF-8 has no lone surrogates, so that two texts would become the same, and
 * PostgreSQL takes no NUL.
 */
const isPlain = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !/\p{Cc}/u.test(value);

/** OpenID Connect allows at most 255 characters. */
export const isSubject = (value: unknown): value is string =>
  isPlain(value) && value !== "" && value.length <= 255;

/** A provider with a single group may send it without a list. */
function groupsOf(claim: unknown): string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const names = listed.filter(isPlain);
  const usable = names.filter((name) => name !== "" && name.length <= MAX_GROUP_LENGTH);
  return [...new Set(usable)].slice(0, MAX_GROUPS);
}

/** Whether one of the rules names the person. */
export const isNamed = (person: Person, rules: readonly AdmissionRule[]): boolean =>
  rules.some((rule) => matches(person, rule));

function matches(person: Person, { kind, value }: AdmissionRule): boolean {
  const { subject, groups, email, isEmailVerified } = person;
  if (kind === "domain") {
    return isEmailVerified && email?.slice(email.lastIndexOf("@") + 1) === value;
  }
  const isSubject = kind !== "group" && subject === value;
  return isSubject || (kind !== "subject" && groups.includes(value));
}
