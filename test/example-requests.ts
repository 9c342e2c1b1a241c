import { z } from "zod";
import {
  EXAMPLE_FOLDER_ID,
  EXAMPLE_ID,
  EXAMPLE_TOKEN,
  EXAMPLE_UNDO_ID,
} from "../contract/example.ts";
import type { Operation } from "../contract/operation.ts";
import type { HostileProvider } from "../server/access/oidc/hostile-provider.fixture.ts";
import { createSoftwareAuthenticator } from "../server/access/passkeys/software-authenticator.fixture.ts";
import { parseBase32, totpCode, totpStep } from "../server/lib/totp.ts";
import { api, type HeaderPairs, type Reachable, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import type { HttpResponse } from "./http-response.ts";
import { encodePng } from "./image-encoders.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { NOWHERE, newVersionId } from "./operation-calls.ts";
import { administrator, cookieOf, fromPage, signIn, trySignIn } from "./session.ts";

/** The real values that replace the placeholders of an example. */
interface Prepared {
  readonly id?: string;
  readonly undoId?: string;
  /** The last segment of the URL of an upload or a batch. */
  readonly token?: string;
  /** Replaces the path and the query. */
  readonly path?: string;
  /** Besides that of the session. */
  readonly cookie?: string;
  /** Fields that a device, an app or the server's output has. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Undoes the change of the account. */
  readonly after?: (response: HttpResponse) => Promise<unknown>;
}

export interface ExampleRequest {
  /** Puts the real values into a command of the example; undefined: other values or the response are needed. */
  readonly fill?: ((command: string) => string) | undefined;
  readonly path: string;
  readonly headers: HeaderPairs;
  readonly content: string | Uint8Array | undefined;
  readonly after: (response: HttpResponse) => Promise<unknown>;
}

const PASSWORD = administrator.ADMIN_PASSWORD;
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

const folderData = z.object({ folder: z.object({ id: z.string() }) });
const keyData = z.object({ key: z.object({ id: z.string() }) });
const webhookData = z.object({ webhook: z.object({ id: z.string() }) });
const memberData = z.object({ account: z.object({ id: z.string() }) });
const grantData = z.object({ grant: z.object({ id: z.string() }) });
const inviteData = z.object({ invite: z.object({ id: z.string() }), url: z.string() });
const linkData = z.object({ link: z.object({ id: z.string() }) });
const undoData = z.object({ undoId: z.string() });
const batchData = z.object({ url: z.string() });
const uploadData = z.object({ upload: batchData });
const passkeyData = z.object({ passkey: z.object({ id: z.string() }) });
const codesData = z.object({ recoveryCodes: z.array(z.string()) });
const creationData = z.object({
  options: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string() }),
    user: z.object({ id: z.string() }),
  }),
});
const requestData = z.object({ options: z.object({ challenge: z.string(), rpId: z.string() }) });

const lastSegment = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

function dataOf<T>({ status, text }: HttpResponse, shape: z.ZodType<T>): T {
  if (status >= 300) throw new Error(`Not prepared, ${status}: ${text}`);
  return z.object({ data: shape }).parse(JSON.parse(text)).data;
}

/** Each code is accepted once, and the next one already. */
const code = (skew: 0 | 1): string =>
  totpCode(parseBase32(SECRET) ?? new Uint8Array(), totpStep(Date.now()) + skew);

/**
 * Makes the example request of an operation, and before it what the request is about. `server` is under a
 * host name, because passkeys need one, and keeps versions.
 */
export function createExampleRequests(
  server: Reachable,
  setupToken: () => string,
  provider: HostileProvider,
) {
  const a = api(server);

  const newFile = (key = `photos/2026/${unique("file")}.jpg`) => a.put(key);

  async function removeFolder(key: string): Promise<void> {
    const found = await a.get(`/api/folders?key=${key}`);
    if (found.status === 404) return;
    await a.json("DELETE", "/api/folders", { id: dataOf(found, folderData).folder.id });
  }

  async function newUpload(): Promise<Prepared> {
    // As long as the bytes that the example of `appendToUpload` sends, so that they finish it.
    const body = { folder: "photos/2026", name: "harbour.mov", size: 5 };
    const { upload } = dataOf(await a.json("POST", "/api/uploads", body), uploadData);
    return { token: lastSegment(upload.url) };
  }
  async function newBatch(): Promise<Prepared> {
    const { url } = dataOf(await a.json("POST", "/api/batches", { folder: "site" }), batchData);
    return { token: lastSegment(url) };
  }

  const newKey = async (): Promise<Prepared> => ({
    id: dataOf(await a.json("POST", "/api/keys", { name: unique("key") }), keyData).key.id,
  });
  async function newWebhook(): Promise<Prepared> {
    const made = await a.json("POST", "/api/webhooks", { name: unique("hook"), url: NOWHERE });
    return { id: dataOf(made, webhookData).webhook.id };
  }
  async function newLink(): Promise<Prepared> {
    const { id: fileId } = await newFile();
    return { id: dataOf(await a.json("POST", "/api/links", { fileId }), linkData).link.id };
  }
  async function newMember(): Promise<Prepared> {
    const body = { email: `${unique("member")}@example.com` };
    const made = await fromPage(server, "POST", "/api/accounts", await signIn(server), body);
    return { id: dataOf(made, memberData).account.id };
  }
  async function newGrant(): Promise<Prepared> {
    const { folderId } = await newFile();
    const body = { group: unique("group"), folderId, actions: ["list"] };
    return { id: dataOf(await a.json("POST", "/api/grants", body), grantData).grant.id };
  }
  async function newInvite(cookie?: string): Promise<{ id: string; token: string }> {
    const by = cookie ?? (await signIn(server));
    const made = await fromPage(server, "POST", "/api/accounts/invite", by, {});
    const { invite, url } = dataOf(made, inviteData);
    return { id: invite.id, token: url.split("#")[1] ?? "" };
  }
  const newVersion = async (): Promise<Prepared> => ({ id: await newVersionId(server) });
  async function newDeletion(): Promise<Prepared> {
    const { id } = await newFile();
    return dataOf(await a.json("DELETE", "/api/files", { id, trash: true }), undoData);
  }

  const secondFactor = "/auth/second-factor";
  const disable = (cookie: string, by: string) =>
    fromPage(server, "DELETE", secondFactor, cookie, { currentPassword: PASSWORD, code: by });
  async function enable(cookie: string): Promise<Prepared> {
    const body = { currentPassword: PASSWORD, secret: SECRET, code: code(0) };
    dataOf(await fromPage(server, "POST", secondFactor, cookie, body), codesData);
    return { body: { code: code(1) } };
  }

  async function newResponse(cookie: string, device: Device): Promise<unknown> {
    const body = { currentPassword: PASSWORD };
    const asked = await fromPage(server, "POST", "/auth/passkeys/options", cookie, body);
    return device.create(dataOf(asked, creationData).options);
  }
  async function newPasskey(cookie: string, device = newDevice()): Promise<Prepared> {
    const body = { response: await newResponse(cookie, device) };
    const added = await fromPage(server, "POST", "/auth/passkeys", cookie, body);
    return { id: dataOf(added, passkeyData).passkey.id };
  }
  const newDevice = (): Device => createSoftwareAuthenticator(server.url);

  /** Signs somebody in at the provider. Returns the path of the callback. */
  async function atProvider(url: string, subject: string): Promise<string> {
    provider.lie({ claims: { sub: subject, email: `${subject}@example.com` } });
    return (await provider.signIn(url)).slice(server.url.length);
  }
  const pairOf = (answer: HttpResponse): string => answer.header("set-cookie")?.split(";")[0] ?? "";

  async function newSignIn(): Promise<Prepared> {
    const begun = await send(server, "GET", "/auth/oidc");
    const path = await atProvider(begun.header("location") ?? "", "grace");
    return { path, cookie: pairOf(begun) };
  }
  async function newIdentity(cookie: string): Promise<Prepared> {
    const proof = { currentPassword: PASSWORD };
    const begun = await fromPage(server, "POST", "/auth/oidc/connect", cookie, proof);
    const path = await atProvider(dataOf(begun, z.object({ url: z.string() })).url, "ada-there");
    await fromPage(server, "GET", path, `${cookie}; ${pairOf(begun)}`);
    return { body: { issuer: provider.issuer, subject: "ada-there" } };
  }

  const preparations: Readonly<Record<string, Preparation>> = {
    uploadFiles: () => removeFolder("photos").then(() => ({})),
    putContent: () => removeFolder("photos").then(() => ({})),
    createFolder: () => removeFolder("photos").then(() => ({})),
    restoreTrash: newDeletion,
    undoChanges: async () => ({ body: { since: new Date().toISOString(), folder: undefined } }),
    emptyTrash: newDeletion,
    downloadVersion: newVersion,
    restoreVersion: newVersion,
    deleteVersions: newVersion,
    uploadState: newUpload,
    showUpload: newUpload,
    appendToUpload: newUpload,
    cancelUpload: newUpload,
    uploadOptions: newUpload,
    showBatch: newBatch,
    addToBatch: newBatch,
    createBatchUpload: newBatch,
    commitBatch: newBatch,
    dropBatch: newBatch,
    fetchFiles: async () => ({ body: { url: NOWHERE } }),
    createWebhook: async () => {
      await newFile();
      return { body: { url: NOWHERE } };
    },
    changeWebhook: newWebhook,
    deleteWebhook: newWebhook,
    testWebhook: newWebhook,
    replayWebhook: newWebhook,
    rotateWebhook: newWebhook,
    listDeliveries: newWebhook,
    changeLink: newLink,
    revokeLink: newLink,
    createAccount: async () => ({ body: { email: `${unique("new")}@example.com` } }),
    changeAccount: newMember,
    removeAccount: newMember,
    resetAccount: newMember,
    createGrant: newMember,
    changeGrant: newGrant,
    removeGrant: newGrant,
    removeInvite: async (cookie) => ({ id: (await newInvite(cookie)).id }),
    readInvite: async () => ({ body: { token: (await newInvite()).token } }),
    acceptInvite: async () => ({
      body: { token: (await newInvite()).token, email: `${unique("new")}@example.com` },
    }),
    revealS3Credentials: newKey,
    renameKey: newKey,
    rotateKey: newKey,
    revokeKey: newKey,
    setup: async () => ({ body: { token: setupToken() } }),
    changeEmail: async () => ({
      async after() {
        const cookie = cookieOf(await trySignIn(server, "ada@example.org", PASSWORD));
        const body = { email: administrator.ADMIN_EMAIL, currentPassword: PASSWORD };
        expectData(await fromPage(server, "PUT", "/auth/email", cookie, body), z.unknown());
      },
    }),
    changePassword: async () => ({
      async after(response) {
        const body = { currentPassword: "an even longer one", newPassword: PASSWORD };
        const cookie = cookieOf(response);
        expectData(await fromPage(server, "PUT", "/auth/password", cookie, body), z.unknown());
      },
    }),
    enableSecondFactor: async (cookie) => ({
      body: { code: code(0) },
      after: () => disable(cookie, code(1)),
    }),
    disableSecondFactor: enable,
    renewRecoveryCodes: async (cookie) => ({
      ...(await enable(cookie)),
      after: (response) => disable(cookie, dataOf(response, codesData).recoveryCodes[0] ?? "none"),
    }),
    signInWithOidc: newSignIn,
    disconnectIdentity: newIdentity,
    addPasskey: async (cookie) => ({ body: { response: await newResponse(cookie, newDevice()) } }),
    renamePasskey: (cookie) => newPasskey(cookie),
    removePasskey: (cookie) => newPasskey(cookie),
    async signInWithPasskey() {
      const device = newDevice();
      await newPasskey(await signIn(server), device);
      const asked = await fromPage(server, "POST", "/auth/sign-in/passkey/options", "");
      return { body: { response: device.get(dataOf(asked, requestData).options) } };
    },
  };

  return async (operation: Operation): Promise<ExampleRequest> => {
    await removeFolder("photos");
    const { id: fileId, folderId } = await newFile("photos/2026/harbour.jpg");
    const cookie = operation.access === "account" ? await signIn(server) : "";
    const prepared = (await preparations[operation.id]?.(cookie)) ?? {};
    const fill = (text: string): string =>
      text
        .replaceAll(EXAMPLE_TOKEN, prepared.token ?? EXAMPLE_TOKEN)
        .replaceAll(EXAMPLE_ID, prepared.id ?? fileId)
        .replaceAll(EXAMPLE_FOLDER_ID, folderId ?? "none")
        .replaceAll(EXAMPLE_UNDO_ID, prepared.undoId ?? EXAMPLE_UNDO_ID);
    const { headers, content } = bodyOf(operation, prepared);
    const { path, cookie: added, body, after } = prepared;
    return {
      fill: (path ?? added ?? body ?? after) ? undefined : fill,
      path: prepared.path ?? fill(pathOf(operation)),
      content: typeof content === "string" ? fill(content) : content,
      headers: {
        ...headers,
        ...(operation.access === "caller" || operation.access === "reader"
          ? { "API-Key": server.apiKey }
          : {}),
        ...(cookie === "" ? {} : { Cookie: cookie }),
        ...(prepared.cookie === undefined ? {} : { Cookie: prepared.cookie }),
        Origin: server.url,
      },
      after: prepared.after ?? (async () => {}),
    };
  };
}

/** The example request of an operation as it stands in the contract: what it is about does not exist. */
export function bareExample(operation: Operation): Omit<ExampleRequest, "after"> {
  return { path: pathOf(operation), ...bodyOf(operation, {}) };
}

type Device = ReturnType<typeof createSoftwareAuthenticator>;
/** `cookie` is that of the session that sends the example, if a session does. */
type Preparation = (cookie: string) => Promise<Prepared>;

function pathOf({ path, example: { parameters = {}, query = {} } }: Operation): string {
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => parameters[name] ?? "");
  return `${filled}?${new URLSearchParams(query)}`;
}

/** The body and the headers as the first curl command of the example sends them. */
function bodyOf({ body, example }: Operation, prepared: Prepared) {
  const options = example.curl?.[0]?.options ?? [];
  const headers: Record<string, string> = {};
  for (const option of options) {
    const [, name, value] = /^-H '([^:]+): (.+)'$/.exec(option) ?? [];
    if (name !== undefined && value !== undefined) headers[name] = value;
  }
  if (body !== undefined && "multipart" in body) {
    const parts = options.flatMap((option) => {
      const [, name, at, value] = /^-F (\w+)=(@?)(.+)$/.exec(option) ?? [];
      if (name === undefined || value === undefined) return [];
      return [at === "@" ? filePart(value, value) : field(name, value)];
    });
    const { contentType, bytes } = multipart(parts);
    return { headers: { ...headers, "Content-Type": contentType }, content: bytes };
  }
  if (options.includes("--data-binary @logo.png")) {
    return { headers, content: encodePng(1, 1, () => [0, 0, 0, 255]) };
  }
  if (options.some((option) => option.startsWith("-T "))) return { headers, content: "bytes" };
  if (example.body === undefined) return { headers, content: undefined };
  return {
    headers: { ...headers, "Content-Type": "application/json" },
    content: JSON.stringify({ ...example.body, ...prepared.body }),
  };
}
