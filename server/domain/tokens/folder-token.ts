import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";

/** What a token gives access to: reading everything in the folder, at any depth. */
export interface SignedFolder {
  readonly folderId: string;
  /** Whole seconds since the Unix epoch. */
  readonly exp: number;
}

/**
 * Tokens of signed folders, the first segment of their URLs: `~`, and in base64url a version, the actions,
 * the expiry, the id of the folder, and a signature of them. A name can begin like a token: it is one
 * only if its signature is right.
 */
export interface FolderTokens {
  sign(folder: SignedFolder): string;
  /**
   * undefined: not a token that `sign` returns, in exactly this text. Compares in constant time and never
   * throws. Does not check whether `exp` has passed.
   */
  verify(text: string): SignedFolder | undefined;
}

const PURPOSE = "holdall signed folder v1";
const VERSION = 1;
/** The only action there is. */
const READ = 1;

/* The bytes of a token: version, actions, expiry, id, signature. */
const EXP_AT = 2;
const EXP_BYTES = 6;
const ID_AT = EXP_AT + EXP_BYTES;
const MAC_BYTES = 32;

const TOKEN = /^~[A-Za-z0-9_-]{55,250}$/;

/** In bytes: enough for thousands of tokens. */
const MAX_CACHED_BYTES = 1024 * 1024;
const OVERHEAD = 300;

/** Signs with a key derived from `secret` for this purpose alone (RFC 5869). */
export function createFolderTokens(secret: string): FolderTokens {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", PURPOSE, 32));
  const macOf = (claims: Uint8Array): Buffer => createHmac("sha256", key).update(claims).digest();

  /** By what a token says. A player asks for the next segment every few seconds. */
  const macs = createTwoGenerationCache<string, Buffer>(MAX_CACHED_BYTES);

  function expect(claims: Buffer): Buffer {
    const text = claims.toString("latin1");
    const known = macs.get(text);
    if (known !== undefined) return known;
    const mac = macOf(claims);
    macs.set(text, mac, text.length + mac.length + OVERHEAD);
    return mac;
  }

  return {
    sign({ folderId, exp }) {
      const head = Buffer.alloc(ID_AT);
      head[0] = VERSION;
      head[1] = READ;
      head.writeUIntBE(exp, EXP_AT, EXP_BYTES);
      const claims = Buffer.concat([head, Buffer.from(folderId)]);
      return `~${Buffer.concat([claims, macOf(claims)]).toString("base64url")}`;
    },
    verify(text) {
      if (!TOKEN.test(text)) return undefined;
      const encoded = text.slice(1);
      const bytes = Buffer.from(encoded, "base64url");
      const claims = bytes.subarray(0, -MAC_BYTES);
      if (claims[0] !== VERSION || claims[1] !== READ || claims.length <= ID_AT) return undefined;
      if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), expect(claims))) return undefined;
      // The last character of another text may encode the same bytes.
      if (bytes.toString("base64url") !== encoded) return undefined;
      const exp = claims.readUIntBE(EXP_AT, EXP_BYTES);
      return { folderId: claims.toString("utf8", ID_AT), exp };
    },
  };
}
