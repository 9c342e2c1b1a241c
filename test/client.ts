import { expectDeclared } from "./expect-declared.ts";
import { expectData } from "./expectations.ts";
import { createHttpResponse, type HttpResponse } from "./http-response.ts";
import { field, filePart, multipart, type Part } from "./multipart.ts";
import {
  browseData,
  type FileShape,
  type FolderShape,
  fileData,
  filesData,
  folderData,
} from "./shapes.ts";

export type HeaderPairs = Readonly<Record<string, string>>;

export interface UploadOptions {
  readonly visibility?: string;
  readonly type?: string;
}

/** The address of a server and a key for it. */
export interface Reachable {
  /** Without a trailing slash. */
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

/** Sends one request as given, without adding an API key. */
export async function send(
  server: Reachable,
  method: string,
  path: string,
  headers: HeaderPairs = {},
  body?: string | Uint8Array,
): Promise<HttpResponse> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body: bytesOf(body) }),
  });
  const received = createHttpResponse(
    response.status,
    [...response.headers],
    new Uint8Array(await response.arrayBuffer()),
  );
  expectDeclared(method, path, received);
  return received;
}

/** API calls with the server's key. */
export function api(server: Reachable) {
  const withKey = (headers: HeaderPairs = {}): HeaderPairs => ({
    "API-Key": server.apiKey,
    ...headers,
  });

  /** A string `body` is sent as it is, anything else as JSON. */
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

    /** Uploads one file to a path such as `folder/name.txt` and returns its object. */
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
      const [file, ...more] = expectData(answer, filesData).files;
      if (file === undefined || more.length > 0) throw new Error(`Not one file: ${answer.text}`);
      return file;
    },

    /** Creates a folder and returns its object. */
    async folder(path: string): Promise<FolderShape> {
      return expectData(await json("POST", "/api/folders", { folder: path }), folderData).folder;
    },

    async file(id: string): Promise<FileShape> {
      const answer = await json("GET", `/api/files?id=${encodeURIComponent(id)}`);
      return expectData(answer, fileData).file;
    },

    async list(query = "") {
      return expectData(await json("GET", `/api/files${query}`), filesData).files;
    },

    async browse(key: string) {
      const answer = await json("GET", `/api/folders?key=${encodeURIComponent(key)}`);
      return expectData(answer, browseData);
    },
  };
}
