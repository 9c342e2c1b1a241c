import {
  type AdmissionRule,
  type OidcSettings,
  parseAdmissionRule,
} from "../access/oidc/oidc-settings.ts";
import { examineOidcIssuer } from "./advice/examine-addresses.ts";
import type { EnvironmentReader } from "./environment-reader.ts";
import { matching, parsed, type TextSchema, textOfLength, trueOrFalse } from "./schemas.ts";
import { optional, shownAsLength, type Variable, withDefault } from "./variable.ts";

const DISCOVERY = "/.well-known/";

/** Kept as it is written, because tokens have the same text. */
const issuer: TextSchema<string> = parsed((given) => {
  const url = URL.parse(given);
  const isPlain = url?.username === "" && url.password === "" && !/[?#]/.test(given);
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) return undefined;
  return given.includes(DISCOVERY) ? undefined : given;
}, `the issuer's https URL, such as https://id.example.com/realms/main, without ${DISCOVERY}…`);

const rules = (
  accepts: readonly AdmissionRule["kind"][],
  allowed: string,
): TextSchema<readonly AdmissionRule[]> =>
  parsed((given) => {
    const entries = given.split(",").map((entry) => entry.trim());
    const named = entries.filter((entry) => entry !== "").map(parseAdmissionRule);
    const known = named.filter((rule) => rule !== undefined && accepts.includes(rule.kind));
    return known.length === named.length ? known.filter((rule) => rule !== undefined) : undefined;
  }, allowed);

export const oidcVariables = {
  oidcIssuer: optional(
    "OIDC_ISSUER",
    issuer,
    "Issuer of the OpenID Connect provider with which people sign in, such as `https://id.example.com/realms/main`. Needs `PUBLIC_URL`. See [OpenID Connect](oidc.md).",
    { examine: examineOidcIssuer },
  ),
  oidcClientId: optional(
    "OIDC_CLIENT_ID",
    textOfLength(1, 512),
    "With `OIDC_ISSUER`: id of this server at the provider.",
  ),
  oidcClientSecret: optional(
    "OIDC_CLIENT_SECRET",
    textOfLength(1, 2048),
    "With `OIDC_ISSUER`: secret of this server at the provider.",
    { shown: shownAsLength },
  ),
  oidcName: optional(
    "OIDC_NAME",
    matching(/^[^\p{Cc}]{1,40}$/u, "1 to 40 characters in one line"),
    "Name of the provider on the sign-in page.",
    { defaultText: "host of `OIDC_ISSUER`" },
  ),
  oidcOwners: optional(
    "OIDC_OWNERS",
    rules(
      ["any", "subject", "group"],
      "values of `sub` or groups separated by commas: email addresses do not name owners",
    ),
    "Comma-separated values of `sub`, or groups, of the people who become owners. `sub:…` and `group:…` match only one of the two.",
  ),
  oidcAllowed: optional(
    "OIDC_ALLOWED",
    rules(
      ["any", "subject", "group", "domain"],
      "values of `sub`, groups or domains such as @example.com, separated by commas",
    ),
    "Comma-separated values of `sub`, groups, or domains of verified email addresses such as `@example.com`, of the people who become members without an invitation.",
  ),
  oidcGroupsClaim: withDefault(
    "OIDC_GROUPS_CLAIM",
    textOfLength(1, 256),
    "groups",
    "Claim that has the groups of a person.",
  ),
  passwordSignIn: withDefault(
    "PASSWORD_SIGN_IN",
    trueOrFalse,
    "true",
    "`false` refuses to sign in with a password, so that people sign in with the provider of `OIDC_ISSUER` or a passkey.",
  ),
};

/** null: the configuration has no provider. Notes what is missing, and what means nothing without a provider. */
export function readOidc(
  { read, isSet, reject }: EnvironmentReader,
  publicUrl: Variable<string | null>,
): OidcSettings | null {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcGroupsClaim } = oidcVariables;
  const { oidcOwners, oidcAllowed, oidcName, passwordSignIn } = oidcVariables;
  const needed = [oidcClientId, oidcClientSecret, publicUrl];
  if (!isSet(oidcIssuer)) {
    const { passwordSignIn: _, oidcIssuer: __, ...others } = oidcVariables;
    for (const other of Object.values(others)) {
      if (isSet(other)) reject(other, `given together with ${oidcIssuer.name}`);
    }
    if (!read(passwordSignIn)) reject(passwordSignIn, `true without ${oidcIssuer.name}`);
    return null;
  }
  for (const each of needed) {
    if (!isSet(each)) reject(each, `given together with ${oidcIssuer.name}`);
  }
  const issuer = read(oidcIssuer) ?? "";
  return {
    issuer,
    clientId: read(oidcClientId) ?? "",
    clientSecret: read(oidcClientSecret) ?? "",
    name: read(oidcName) ?? URL.parse(issuer)?.host ?? "",
    owners: read(oidcOwners) ?? [],
    allowed: read(oidcAllowed) ?? [],
    groupsClaim: read(oidcGroupsClaim),
  };
}
