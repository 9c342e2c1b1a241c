import type { OperationId } from "../../../contract/operations.ts";

export interface Example {
  /** For a shell in which HOLDALL_URL and HOLDALL_KEY are set. */
  readonly curl: string;
  /** For TypeScript, with a `holdall` client at hand. */
  readonly sdk?: string;
}

const key = '-H "API-Key: $HOLDALL_KEY"';
const json = "-H 'Content-Type: application/json'";
const session = "-b session.txt";

const get = (path: string, who = key): string => `curl "$HOLDALL_URL${path}" \\\n  ${who}`;

const send = (method: string, path: string, who: string, body: object): string =>
  `curl -X ${method} "$HOLDALL_URL${path}" \\\n  ${who} \\\n  ${json} \\\n  -d '${bodyText(body)}'`;

/** On one line when it is short. */
function bodyText(body: object): string {
  return Object.keys(body).length === 1 && JSON.stringify(body).length < 50
    ? JSON.stringify(body)
    : JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
}

const FILE = "019c12a4f5d0722f9d3c1e5b7a90c4e8";
const FOLDER = "019c12a4e3b4722f9d3c1e5b7a90c4e8";

/** How each operation is called. */
export const examples: Readonly<Record<OperationId, Example>> = {
  listFiles: {
    curl: get("/api/files?orderBy=name&limit=50"),
    sdk: `const files = await holdall.files.list({
  orderBy: "name",
  limit: 50,
});
for await (const file of holdall.files.each()) {
  console.log(file.key);
}
const one = await holdall.files.getByKey(
  "photos/2026/harbour.jpg",
);`,
  },
  uploadFiles: {
    curl: [
      get("/api/files"),
      "-F folder=photos/2026",
      "-F visibility=private",
      "-F files=@harbour.jpg",
      "-F files=@lighthouse.jpg",
    ].join(" \\\n  "),
    sdk: `const file = await holdall.files.upload("./harbour.jpg", {
  folder: "photos/2026",
  visibility: "private",
  onProgress: ({ loaded, total }) => show(loaded, total),
});`,
  },
  changeFile: {
    curl: send("PUT", "/api/files", key, { id: FILE, name: "quay.jpg", visibility: "public" }),
    sdk: `await holdall.files.update(file.id, {
  name: "quay.jpg",
  visibility: "public",
});

await holdall.files.move(file.id, folder.id);`,
  },
  deleteFiles: {
    curl: send("DELETE", "/api/files", key, { ids: [FILE] }),
    sdk: `await holdall.files.delete(file.id);

const { deleted, failed } =
  await holdall.files.deleteMany(ids);`,
  },
  signFile: {
    curl: send("POST", "/api/files/sign", key, { key: "photos/2026/harbour.jpg", expiresIn: 3600 }),
    sdk: `const { url, expiresAt } = await holdall.files.sign(
  file.id,
  { expiresIn: 3600 },
);`,
  },
  downloadFile: {
    curl: `${get(`/api/files/download/${FILE}`)} \\\n  -o harbour.jpg\n\n# The first 100 bytes:\n${get(`/api/files/download/${FILE}`)} \\\n  -r 0-99`,
    sdk: `const { body, size, type } =
  await holdall.files.download(file.id);

const head = await holdall.files.download(file.id, {
  range: { start: 0, end: 99 },
});`,
  },
  downloadFiles: {
    curl: `${send("POST", "/api/files/download", key, { ids: [FILE], folderIds: [FOLDER] })} \\\n  -OJ`,
    sdk: `const { body, name, size } =
  await holdall.files.downloadZip({ ids, folderIds });`,
  },
  hostFile: {
    curl: `# A public file:\n${get("/api/hosting/photos/2026/harbour.jpg", "-o harbour.jpg")}\n\n# A private file, with a key:\n${get("/api/hosting/photos/2026/harbour.jpg")} \\\n  -o harbour.jpg`,
    sdk: `image.src = holdall.url(file);`,
  },
  browseFolder: {
    curl: get("/api/folders?key=photos/2026"),
    sdk: `const { folder, files, folders } =
  await holdall.folders.browse({ key: "photos/2026" });

const root = await holdall.folders.root();`,
  },
  downloadFolder: {
    curl: `${get("/api/folders/download?key=photos/2026")} \\\n  -OJ`,
    sdk: `const { body, name, size } =
  await holdall.folders.download(folder.id);`,
  },
  measureFolder: {
    curl: get("/api/folders/size?key=photos"),
    sdk: `const { files, folders, bytes } =
  await holdall.folders.size({ key: "photos" });`,
  },
  search: {
    curl: get("/api/search?q=harbour"),
    sdk: `const { files, folders, nextCursor } =
  await holdall.search("harbour");`,
  },
  createFolder: {
    curl: send("POST", "/api/folders", key, { folder: "photos/2026" }),
    sdk: `const folder =
  await holdall.folders.create("photos/2026");`,
  },
  changeFolder: {
    curl: send("PUT", "/api/folders", key, { id: FOLDER, name: "2025", visibility: "private" }),
    sdk: `await holdall.folders.update(folder.id, {
  name: "2025",
  visibility: "private",
});

await holdall.folders.move(folder.id, parent.id);`,
  },
  deleteFolder: {
    curl: send("DELETE", "/api/folders", key, { id: FOLDER }),
    sdk: `await holdall.folders.delete(folder.id);`,
  },
  listKeys: {
    curl: get("/api/keys"),
    sdk: `const keys = await holdall.keys.list();`,
  },
  createKey: {
    curl: send("POST", "/api/keys", key, { name: "backend", expiresIn: 2592000 }),
    sdk: `const { key, secret } = await holdall.keys.create(
  "backend",
  { expiresIn: 2_592_000 },
);`,
  },
  renameKey: {
    curl: send("PUT", "/api/keys", key, { id: FILE, name: "old backend" }),
    sdk: `await holdall.keys.rename(key.id, "old backend");`,
  },
  revokeKey: {
    curl: send("DELETE", "/api/keys", key, { id: FILE }),
    sdk: `await holdall.keys.revoke(key.id);`,
  },
  setup: {
    curl: send("POST", "/auth/setup", "-c session.txt", {
      token: "TOKEN",
      email: "ada@example.com",
      password: "correct horse battery",
    }),
    sdk: `await holdall.account.setup({
  token,
  email,
  password,
});`,
  },
  signIn: {
    curl: send("POST", "/auth/sign-in", "-c session.txt", {
      email: "ada@example.com",
      password: "correct horse battery",
    }),
    sdk: `const account = await holdall.account.signIn({
  email,
  password,
});`,
  },
  signOut: {
    curl: `curl -X POST "$HOLDALL_URL/auth/sign-out" \\\n  ${session}`,
    sdk: `await holdall.account.signOut();`,
  },
  whoAmI: {
    curl: get("/auth/session", session),
    sdk: `const { account, session } =
  await holdall.account.whoAmI();`,
  },
  setupState: {
    curl: `curl "$HOLDALL_URL/auth/setup"`,
    sdk: `const { needed } = await holdall.account.setupState();`,
  },
  listSessions: {
    curl: get("/auth/sessions", session),
    sdk: `const sessions = await holdall.account.sessions();`,
  },
  endSessions: {
    curl: send("DELETE", "/auth/sessions", session, { others: true }),
    sdk: `await holdall.account.endSession(session.id);
await holdall.account.endOtherSessions();`,
  },
  changeEmail: {
    curl: send("PUT", "/auth/email", session, {
      email: "ada@example.org",
      currentPassword: "correct horse battery",
    }),
    sdk: `const account = await holdall.account.changeEmail({
  email: "ada@example.org",
  currentPassword,
});`,
  },
  changePassword: {
    curl: send("PUT", "/auth/password", `${session} -c session.txt`, {
      currentPassword: "correct horse battery",
      newPassword: "an even longer one",
    }),
    sdk: `await holdall.account.changePassword({
  currentPassword,
  newPassword,
});`,
  },
  overview: {
    curl: get("/api/overview?period=week"),
    sdk: `const { storage, types, traffic } =
  await holdall.overview({ period: "week" });`,
  },
  listActivity: {
    curl: get("/api/activity?outcome=failed&limit=20"),
    sdk: `const { activity, nextCursor } =
  await holdall.activity.list({ outcome: "failed" });`,
  },
  readSettings: {
    curl: get("/api/settings"),
    sdk: `const settings = await holdall.settings.read();`,
  },
  changeSettings: {
    curl: send("PUT", "/api/settings", key, { maxUploadSize: 1073741824 }),
    sdk: `await holdall.settings.change({
  maxUploadSize: 1024 ** 3,
  defaultVisibility: null, // back to the default
});`,
  },
  health: {
    curl: `curl "$HOLDALL_URL/api/health"`,
    sdk: `const message = await holdall.health();`,
  },
  ready: {
    curl: `curl --fail "$HOLDALL_URL/api/health/ready"`,
    sdk: `await holdall.ready();`,
  },
  openapi: {
    curl: get("/api/openapi.json", "-o openapi.json"),
    sdk: `const document = await holdall.openapi();`,
  },
};
