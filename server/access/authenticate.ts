import type { AccountRecord, ApiKeyRecord, SessionRecord } from "../rules/records.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { LastUsedBuffer } from "./last-used-buffer.ts";
import { isEmbedded, type RequestOrigin, sameOrigin } from "./origin.ts";
import { readSessionToken } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

/** Whose request it is. */
export type Caller =
  | { readonly kind: "key"; readonly key: ApiKeyRecord }
  | {
      readonly kind: "session";
      readonly account: AccountRecord;
      readonly session: SessionRecord;
    };

/** What a request brings to show who it is; null where a header is absent. */
export interface RequestCredentials extends RequestOrigin {
  readonly apiKey: string | null;
  readonly cookie: string | null;
  /** Whether the site is served over https. */
  readonly secure: boolean;
}

/**
 * The caller, or undefined when there is no good evidence. An API key that is given decides alone:
 * a wrong one is not made good by a cookie.
 */
export type Authenticate = (evidence: RequestCredentials) => Promise<Caller | undefined>;

export interface AuthenticateParts {
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
  readonly lastUsed: LastUsedBuffer;
}

export function createAuthenticate({ keys, sessions, lastUsed }: AuthenticateParts): Authenticate {
  return async (evidence) => {
    if (evidence.apiKey !== null) {
      const key = await keys.authenticate(evidence.apiKey);
      if (key === undefined) return undefined;
      lastUsed.recordKey(key.id);
      return { kind: "key", key };
    }
    const token = readSessionToken(evidence.cookie, evidence);
    if (token === undefined || !sameOrigin(evidence) || isEmbedded(evidence)) return undefined;
    const found = await sessions.find(token);
    if (found === undefined) return undefined;
    lastUsed.recordSession(found.session.id);
    return { kind: "session", ...found };
  };
}
