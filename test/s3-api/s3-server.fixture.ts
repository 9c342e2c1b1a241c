import { accessKeyIdOf } from "../../server/semantics/s3-signature/credential.ts";
import { createS3Secrets } from "../../server/semantics/s3-signature/s3-secret.ts";
import { api } from "../client.ts";
import { expectData } from "../expectations.ts";
import { type Environment, startServer, type TestServer } from "../harness.ts";
import { keysData, newKeyData } from "../shapes.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3TestServer extends TestServer {
  /** The credentials of the initial API key, which may do everything. */
  readonly credentials: S3Credentials;
}

const AUTH_SECRET = "a secret of the tests of the S3 API, of 32 or more characters";
const { secretOf } = createS3Secrets(AUTH_SECRET);

/** The credentials of an API key with this id, whose secret was not rotated. */
export const credentialsOf = (keyId: string): S3Credentials => ({
  accessKeyId: accessKeyIdOf(keyId),
  secretAccessKey: secretOf({ keyId, version: 0 }),
});

/** A server without a limit of S3 requests. */
export async function startS3Server(env: Environment = {}): Promise<S3TestServer> {
  const server = await startServer({ RATE_LIMIT_S3: "0", AUTH_SECRET, ...env });
  const { keys } = expectData(await api(server).get("/api/keys"), keysData);
  return Object.assign(server, { credentials: credentialsOf(keys[0]?.id ?? "") });
}

export interface KeyRequest {
  /** Default: all folders. Created if it is missing. */
  readonly folder?: string;
  readonly actions?: readonly string[];
}

/** The credentials of another API key. */
export async function createS3Key(
  server: TestServer,
  { folder, actions }: KeyRequest,
): Promise<S3Credentials & { readonly id: string }> {
  if (folder !== undefined) await api(server).json("POST", "/api/folders", { folder });
  const made = await api(server).json("POST", "/api/keys", { name: "S3", folder, actions });
  const { id } = expectData(made, newKeyData).key;
  return { ...credentialsOf(id), id };
}
