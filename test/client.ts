import { type Answer, createAnswer } from "./answer.ts";
import { expectData } from "./expectations.ts";
import { field, filePart, multipart, type Part } from "./multipart.ts";
import {
  browseAnswer,
  type FileShape,
  type FolderShape,
  fileAnswer,
  filesAnswer,
  folderAnswer,
} from "./shapes.ts";

export type HeaderPairs = Readonly<Record<string, string>>;

export interface UploadOptions {
  readonly visibility?: string;
  readonly type?: string;
}

/** What it takes to call a server. */
export interface Reachable {
  /** Without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
}

let counter = 0;

/** A name that no other test uses. */
export function unique(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}

const bytesOf = (body: string | Uint8Array) =>
  typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);

/** Sends one request exactly as told, without an API key of its own. */
export async function send(
  server: Reachable,
  method: string,
  path: string,
  headers: HeaderPairs = {},
  body?: string | Uint8Array,
): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body: bytesOf(body) }),
  });
  return createAnswer(
    response.status,
    [...response.headers],
    new Uint8Array(await response.arrayBuffer()),
  );
}

/** The API as a caller with the server's key sees it. */
export function api(server: Reachable) {
  const withKey = (headers: HeaderPairs = {}): HeaderPairs => ({
    "API-Key": server.apiKey,
    ...headers,
  });

  /** A `body` that is text goes out as it is; anything else as JSON. */
  const json = (method: string, path: string, body?: unknown, headers?: HeaderPairs) =>
    body === undefined
      ? send(server, method, path, withKey(headers))
      : send(
          server,
          method,
          path,
          withKey({ "Content-Type": "application/json", ...headers }),
          typeof body === "string" ? body : JSON.stringify(body),
        );

  const upload = (parts: readonly Part[], headers?: HeaderPairs) => {
    const { contentType, bytes } = multipart(parts);
    return send(
      server,
      "POST",
      "/api/files",
      withKey({ "Content-Type": contentType, ...headers }),
      bytes,
    );
  };

  return {
    json,
    upload,

    get: (path: string, headers?: HeaderPairs) => send(server, "GET", path, withKey(headers)),

    /** Uploads one file to a path such as `folder/name.txt` and answers with its object. */
    async put(
      path: string,
      content: string | Uint8Array = path,
      options: UploadOptions = {},
    ): Promise<FileShape> {
      const cut = path.lastIndexOf("/");
      const answer = await upload([
        field("folder", path.slice(0, Math.max(cut, 0))),
        ...(options.visibility === undefined ? [] : [field("visibility", options.visibility)]),
        filePart(path.slice(cut + 1), content, options.type),
      ]);
      const [file, ...more] = expectData(answer, filesAnswer).files;
      if (file === undefined || more.length > 0) throw new Error(`Not one file: ${answer.text}`);
      return file;
    },

    /** Creates a folder and answers with its object. */
    async folder(path: string): Promise<FolderShape> {
      return expectData(await json("POST", "/api/folders", { folder: path }), folderAnswer).folder;
    },

    async file(id: string): Promise<FileShape> {
      const answer = await json("GET", `/api/files?id=${encodeURIComponent(id)}`);
      return expectData(answer, fileAnswer).file;
    },

    async list(query = "") {
      return expectData(await json("GET", `/api/files${query}`), filesAnswer).files;
    },

    async browse(key: string) {
      const answer = await json("GET", `/api/folders?key=${encodeURIComponent(key)}`);
      return expectData(answer, browseAnswer);
    },
  };
}
