/** A passkey of an account. */
export interface PasskeyObject {
  id: string;
  name: string;
  /** The host name of the pages where it works. */
  host: string;
  /** Chosen by the authenticator, in base64url. */
  credentialId: string;
  /** Whether it is backed up or shared among devices. */
  synced: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

/** What `navigator.credentials.create()` needs, as JSON (WebAuthn). All bytes are base64url. */
export interface PasskeyCreationOptions {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  timeout: number;
  excludeCredentials: { type: "public-key"; id: string; transports: string[] }[];
  authenticatorSelection: {
    residentKey: "required";
    requireResidentKey: boolean;
    userVerification: "required";
  };
  attestation: "none";
}

/** What `navigator.credentials.get()` needs, as JSON. */
export interface PasskeyRequestOptions {
  challenge: string;
  rpId: string;
  timeout: number;
  userVerification: "required";
}

/** What `navigator.credentials.create()` returns, as JSON. */
export interface PasskeyRegistration {
  id: string;
  rawId: string;
  type: "public-key";
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: string[] | undefined;
  };
}

/** What `navigator.credentials.get()` returns, as JSON. */
export interface PasskeyAssertion {
  id: string;
  rawId: string;
  type: "public-key";
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | undefined;
  };
}
