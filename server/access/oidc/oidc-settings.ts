/** How people sign in with an OpenID Connect provider. */
export interface OidcSettings {
  /** Exactly the text that the provider uses, with or without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The provider's name for people. */
  readonly name: string;
  /** Who becomes an owner. */
  readonly owners: readonly AdmissionRule[];
  /** Who gets an account without an invitation. */
  readonly allowed: readonly AdmissionRule[];
  /** The claim that has the groups. */
  readonly groupsClaim: string;
}

/** `any`: of a subject or a group. `domain`: of a verified email address, in lower case. */
export interface AdmissionRule {
  readonly kind: "any" | "subject" | "group" | "domain";
  readonly value: string;
}

/** An entry such as `group:staff`, `sub:248289761001`, `staff` or `@example.com`. undefined: it is empty. */
export function parseAdmissionRule(text: string): AdmissionRule | undefined {
  const [, prefix, named] = /^(sub|group):(.+)$/su.exec(text) ?? [];
  if (named !== undefined) return { kind: prefix === "sub" ? "subject" : "group", value: named };
  if (text.startsWith("@")) {
    const domain = text.slice(1).toLowerCase();
    return domain === "" || domain.includes("@") ? undefined : { kind: "domain", value: domain };
  }
  return text === "" ? undefined : { kind: "any", value: text };
}
