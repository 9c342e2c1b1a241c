import type { ImageSize } from "../../contract/settings.ts";
import type { HealthDetails, HealthScrub } from "../../contract/types/health.ts";
import type { OverviewObject, Period } from "../../contract/types/overview.ts";
import type { SearchPage } from "../../contract/types/search.ts";
import { type Account, createAccount } from "./account.ts";
import { type Activity, createActivity } from "./activity.ts";
import { HoldallError } from "./error.ts";
import { createFileCalls, type FileCalls } from "./file-calls.ts";
import { createFolders, type Folders } from "./folders.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createLinks, type Links } from "./links.ts";
import type { CallOptions, HoldallOptions } from "./options.ts";
import { createSearch, type SearchOptions } from "./search.ts";
import { createSettings, type Settings } from "./settings.ts";
import { createTransport, type Transport } from "./transport.ts";
import { createTrash, type Trash } from "./trash.ts";

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
  readonly files: FileCalls;
  readonly folders: Folders;
  readonly trash: Trash;
  readonly links: Links;
  readonly keys: Keys;
  readonly account: Account;
  readonly activity: Activity;
  readonly settings: Settings;
  readonly #transport: Transport;

  /** Throws a `TypeError` if `url` is not a valid URL. Sends nothing. */
  constructor(options: HoldallOptions) {
    this.#transport = createTransport(options);
    this.files = createFileCalls(this.#transport);
    this.folders = createFolders(this.#transport);
    this.trash = createTrash(this.#transport);
    this.links = createLinks(this.#transport);
    this.keys = createKeys(this.#transport);
    this.account = createAccount(this.#transport);
    this.activity = createActivity(this.#transport);
    this.settings = createSettings(this.#transport);
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
    const call = { method: "GET", path: "/api/health", signal } as const;
    return (await this.#transport.json<{ message: string }>(call)).message;
  }

  /**
   * Checks that the server can handle requests. Returns what is unavailable nevertheless, if
   * anything. 503, without retries: the server cannot handle requests; the message says why.
   */
  async ready({ signal }: CallOptions = {}): Promise<string | undefined> {
    const call = { method: "GET", path: "/api/health/ready", signal, retries: 0 } as const;
    return (await this.#transport.json<{ ready: true; degraded?: string }>(call)).degraded;
  }

  /** Space, checks, backups, and what the server depends on. */
  healthDetails({ signal }: CallOptions = {}): Promise<HealthDetails> {
    const call = { method: "GET", path: "/api/health/details", signal } as const;
    return this.#transport.json<HealthDetails>(call);
  }

  /** Starts a check of all files in the background, if none is running. */
  async startScrub({ signal }: CallOptions = {}): Promise<HealthScrub> {
    const call = { method: "POST", path: "/api/health/scrub", signal } as const;
    return (await this.#transport.json<{ scrub: HealthScrub }>(call)).scrub;
  }

  /** Storage use, and the traffic of the period. */
  overview({ period, signal }: OverviewOptions = {}): Promise<OverviewObject> {
    const call = { method: "GET", path: "/api/overview", query: { period }, signal } as const;
    return this.#transport.json<OverviewObject>(call);
  }

  /** The API description as OpenAPI 3.1. */
  async openapi({ signal }: CallOptions = {}): Promise<Record<string, unknown>> {
    const call = { method: "GET", path: "/api/openapi.json", signal } as const;
    return (await this.#transport.open(call)).json();
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
    const call = { method: "GET", path, headers, signal } as const;
    const response = await this.#transport.open(call);
    return response.blob().catch((cause: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw new HoldallError(0, "The connection closed before the image was complete.", { cause });
    });
  }

  /**
   * The absolute hosting URL of a file, a key or a signed link. The URL of a private file works only
   * in a signed-in browser; `files.sign` creates URLs that work for anyone.
   */
  url(
    file: string | { readonly url: string },
    { download = false, size }: UrlOptions = {},
  ): string {
    const path =
      typeof file === "string"
        ? `api/hosting/${file.split("/").map(encodeURIComponent).join("/")}`
        : file.url;
    const url = this.#transport.absoluteUrl(path);
    const added = [
      ...(download ? ["download=1"] : []),
      ...(size === undefined ? [] : [`size=${size}`]),
    ].join("&");
    if (added === "") return url;
    return `${url}${url.includes("?") ? "&" : "?"}${added}`;
  }
}
