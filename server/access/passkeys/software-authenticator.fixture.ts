import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a test may change about what a well-behaved browser and authenticator send. */
export interface Deviation {
  /** Of the page. */
  readonly origin?: string;
  /** The relying party's id. */
  readonly host?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly canSync?: boolean;
  readonly userHandle?: string;
  readonly attestationFormat?: string;
  /** Changes the signed bytes after they were signed. */
  readonly isTampered?: boolean;
}

interface CreationRequest {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface AssertionRequest {
  readonly challenge: string;
  readonly rpId: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const HAS_KEY = 0x40;

/** A browser on a page of `origin`, with an authenticator that makes ES256 keys and no attestation. */
export function createSoftwareAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(32);
  const id = credentialId.toString("base64url");
  let user = "";

  const clientData = (type: string, challenge: string, how: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: how.type ?? type,
        challenge: how.challenge ?? challenge,
        origin: how.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const authenticatorData = (host: string, how: Deviation, key?: Buffer): Buffer => {
    const flags =
      USER_PRESENT |
      (how.isVerified === false ? 0 : USER_VERIFIED) |
      (how.canSync === true ? BACKUP_ELIGIBLE : 0) |
      (key === undefined ? 0 : HAS_KEY);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(how.counter ?? 0, 1);
    return Buffer.concat([sha256(Buffer.from(how.host ?? host)), head, key ?? Buffer.alloc(0)]);
  };

  return {
    id,
    /** As `navigator.credentials.create()`. */
    create({ challenge, rp, user: { id: userId } }: CreationRequest, how: Deviation = {}) {
      user = userId;
      const cose = map(
        [int(1), int(2)],
        [int(3), int(-7)],
        [int(-1), int(1)],
        [int(-2), bytes(Buffer.from(x, "base64url"))],
        [int(-3), bytes(Buffer.from(y, "base64url"))],
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const key = Buffer.concat([Buffer.alloc(16), length, credentialId, cose]);
      const attestation = map(
        [text("fmt"), text(how.attestationFormat ?? "none")],
        [text("attStmt"), map()],
        [text("authData"), bytes(authenticatorData(rp.id, how, key))],
      );
      return {
        id,
        rawId: id,
        type: "public-key" as const,
        response: {
          clientDataJSON: clientData("webauthn.create", challenge, how).toString("base64url"),
          attestationObject: attestation.toString("base64url"),
          transports: ["internal", "unheard-of"],
        },
      };
    },
    /** As `navigator.credentials.get()`. */
    get({ challenge, rpId }: AssertionRequest, how: Deviation = {}) {
      const client = clientData("webauthn.get", challenge, how);
      const data = authenticatorData(rpId, how);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      if (how.isTampered === true) data.writeUInt32BE(99, 33);
      return {
        id,
        rawId: id,
        type: "public-key" as const,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle: how.userHandle ?? user,
        },
      };
    },
  };
}

const sha256 = (of: Buffer): Buffer => createHash("sha256").update(of).digest();

/* CBOR (RFC 8949), as far as it is needed. */

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

const int = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer =>
  Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const map = (...pairs: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()]);
