import type { HealthDetails, HealthScrub, OverviewObject, Period } from "../../contract/api.ts";
import type { ImageSize } from "../../contract/settings.ts";
import {
  type CallArguments,
  call,
  type Data,
  type DataOperation,
  open,
  pathOf,
} from "./connection/call.ts";
import { flag } from "./connection/flag.ts";
import type { CallOptions, HoldallOptions } from "./connection/options.ts";
import { throwCut } from "./connection/read-envelope.ts";
import { createTransport, queryOf, type Transport } from "./connection/transport.ts";
import { createFileCalls, type FileCalls } from "./files/file-calls.ts";
import { createFolders, type Folders } from "./files/folders.ts";
import { createSearch, type SearchOptions, type SearchPage } from "./files/search.ts";
import { createTrash, type Trash } from "./files/trash.ts";
import { type Account, createAccount } from "./instance/account.ts";
import { type Activity, createActivity } from "./instance/activity.ts";
import { createKeys, type Keys } from "./instance/keys.ts";
import { createLinks, type Links } from "./instance/links.ts";
import { createSettings, type Settings } from "./instance/settings.ts";

export interface UrlOptions {
  /** The browser saves the file instead of showing it. */
  readonly download?: boolean | undefined;
  /** The image in a smaller size, whose pixels the settings of the server define. */
  readonly size?: ImageSize | undefined;
}

export interface OverviewOptions extends CallOptions {
  readonly period?: Period | undefined;
}

/**
 * A client of one Holdall server without uploads and the change feed, for programs that load those later, or
 * never. `Holdall` has everything.
 */
export class BaseClient {
  // Set by the constructor. Without `declare`, browsers would load a field of each, too.
  declare readonly files: FileCalls;
  declare readonly folders: Folders;
  declare readonly trash: Trash;
  declare readonly links: Links;
  declare readonly keys: Keys;
  declare readonly account: Account;
  declare readonly activity: Activity;
  declare readonly settings: Settings;
  readonly #transport: Transport;

  /** Throws a `TypeError` if `url` is not a valid URL. Sends nothing. */
  constructor(options: HoldallOptions) {
    const transport = createTransport(options);
    this.#transport = transport;
    this.files = createFileCalls(transport);
    this.folders = createFolders(transport);
    this.trash = createTrash(transport);
    this.links = createLinks(transport);
    this.keys = createKeys(transport);
    this.account = createAccount(transport);
    this.activity = createActivity(transport);
    this.settings = createSettings(transport);
  }

  /**
   * Sends the request of any operation of the API, by its id: `call("copyFiles", { body: { ids } })`. Returns
   * the data of the response.
   */
  call<Id extends DataOperation>(id: Id, ...input: CallArguments<Id>): Promise<Data<Id>> {
    return call(this.#transport, id, ...input);
  }

  /** Finds folders and files by a part of their names. 404: the folder does not exist. */
  search(text: string, options?: SearchOptions): Promise<SearchPage> {
    return createSearch(this.#transport).search(text, options);
  }

  /** All pages of a search, each requested when it is needed. */
  searchPages(text: string, options?: SearchOptions): AsyncGenerator<SearchPage, void> {
    return createSearch(this.#transport).searchPages(text, options);
  }

  /** Checks that the server runs; returns its notice. */
  async health({ signal }: CallOptions = {}): Promise<string> {
    return (await call(this.#transport, "health", { signal })).message;
  }

  /**
   * Checks that the server can handle requests. Returns what is unavailable nevertheless, if
   * anything. 503, without retries: the server cannot handle requests; the message says why.
   */
  async ready({ signal }: CallOptions = {}): Promise<string | undefined> {
    return (await call(this.#transport, "ready", { signal, retries: 0 })).degraded;
  }

  /** Space, checks, backups, and what the server depends on. */
  healthDetails({ signal }: CallOptions = {}): Promise<HealthDetails> {
    return call(this.#transport, "healthDetails", { signal });
  }

  /** Starts a check of all files in the background, if none is running. */
  async startScrub({ signal }: CallOptions = {}): Promise<HealthScrub> {
    return (await call(this.#transport, "startScrub", { signal })).scrub;
  }

  /** Storage use, and the traffic of the period. */
  overview({ period, signal }: OverviewOptions = {}): Promise<OverviewObject> {
    return call(this.#transport, "overview", { query: { period }, signal });
  }

  /** The API description as OpenAPI 3.1. */
  async openapi({ signal }: CallOptions = {}): Promise<Record<string, unknown>> {
    return (await open(this.#transport, "openapi", { signal })).json();
  }

  /**
   * Downloads an image in a smaller size, as WebP. Its URL may be absolute, if it is on this server. 415: the file is not a JPEG, PNG, WebP or GIF. 422: it
   * is damaged or too large. 400: the server makes no smaller sizes.
   */
  async image(
    file: { readonly url: string },
    size: ImageSize,
    { signal }: CallOptions = {},
  ): Promise<Blob> {
    const path = this.url(file, { size });
    // The request has the credentials of this client.
    if (!path.startsWith(this.#transport.absoluteUrl("/"))) {
      throw new TypeError(`The image is not on this server: ${file.url}`);
    }
    const headers = { Accept: "image/webp" };
    const response = await this.#transport.open({ method: "GET", path, headers, signal });
    return response.blob().catch((cause: unknown) => {
      signal?.throwIfAborted();
      return throwCut(cause);
    });
  }

  /**
   * The absolute hosting URL of a file, a key or a signed link. The URL of a private file works only
   * in a signed-in browser; `files.sign` creates URLs that work for anyone.
   */
  url(file: string | { readonly url: string }, { download, size }: UrlOptions = {}): string {
    const path = typeof file === "string" ? pathOf("hostFile", { key: file }) : file.url;
    const url = this.#transport.absoluteUrl(path);
    const query = queryOf({ download: flag(download), size });
    return url + (url.includes("?") ? query.replace("?", "&") : query);
  }
}
