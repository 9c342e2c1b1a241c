import { z } from "zod";
import { type Reachable, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import type { peopleOn } from "./people.fixture.ts";
import { presign, signHeader } from "./s3-api/sign-request.ts";
import { fromPage } from "./session.ts";
import { newKeyData } from "./shapes.ts";

/* What a member makes, and requests that use it. */

export const ALL = ["list", "read", "write", "delete", "share"];

const linkData = z.object({ link: z.object({ id: z.string(), url: z.string().nullable() }) });
const uploadData = z.object({ upload: z.object({ id: z.string(), url: z.string() }) });
const s3Data = z.object({ accessKeyId: z.string(), secretAccessKey: z.string() });

/** The statuses of the uses while the account works. */
export const WORKING = {
  ...{ session: 200, key: 200, mcp: 200, s3: 200, presigned: 200 },
  ...{ link: 200, drop: 200, upload: 200, hosting: 200 },
};
/** The statuses once the account is disabled or removed. */
export const ENDED = {
  ...{ session: 401, key: 401, mcp: 401, s3: 403, presigned: 403 },
  ...{ link: 404, drop: 404, upload: 404, hosting: 404 },
};

/** A key, its S3 credentials, a link, an upload URL and a session, each with a request to `on` that uses it. */
export async function makeEverything(
  server: Reachable,
  people: Awaited<ReturnType<typeof peopleOn>>,
  on: Reachable = server,
) {
  const space = await people.folder();
  const person = await people.member([{ folderId: space.id, actions: ALL }]);
  const [grant] = await people.spacesOf(person);
  const { secret, key } = expectData(
    await person.as("POST", "/api/keys", { name: unique("key") }),
    newKeyData,
  );
  const credentials = expectData(await person.as("POST", "/api/keys/s3", { id: key.id }), s3Data);
  const shared = await person.as("POST", "/api/links", { folderId: space.id });
  const { link } = expectData(shared, linkData);
  const dropped = await person.as("POST", "/api/links", { folderId: space.id, kind: "drop" });
  const drop = expectData(dropped, linkData).link;
  const made = await person.as("POST", "/api/uploads", {
    folder: space.key,
    name: unique("up"),
    size: 3,
  });
  const { upload } = uploadData.parse(JSON.parse(made.text).data);
  const draft = {
    method: "GET",
    path: `/${space.key}/note.txt`,
    query: "",
    headers: { host: new URL(on.url).host },
    body: Buffer.alloc(0),
  };
  const uses = {
    session: () => fromPage(on, "GET", "/api/files", person.cookie),
    key: () => send(on, "GET", "/api/files", { "API-Key": secret }),
    mcp: () =>
      send(
        on,
        "POST",
        "/mcp",
        {
          "API-Key": secret,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      ),
    s3: () => {
      const { headers } = signHeader(draft, credentials);
      return send(on, "GET", draft.path, headers);
    },
    presigned: () => {
      const { query } = presign(draft, credentials);
      return send(on, "GET", `${draft.path}?${query}`, draft.headers);
    },
    link: () => send(on, "GET", `/${link.url}`),
    drop: () => send(on, "GET", `/${drop.url}`),
    upload: () => send(on, "HEAD", `/${upload.url}`, { "Tus-Resumable": "1.0.0" }),
    hosting: () => fromPage(on, "GET", `/${space.file.url}`, person.cookie),
  };
  const statuses = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(uses).map(async ([name, use]) => [name, (await use()).status] as const),
      ),
    );
  return { space, person, grant, key, statuses };
}
