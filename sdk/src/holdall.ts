import type { OverviewObject, Period, SearchPage } from "../../contract/types.ts";
import { type Account, createAccount } from "./account.ts";
import { type Activity, createActivity } from "./activity.ts";
import { createFiles, type Files } from "./files.ts";
import { createFolders, type Folders } from "./folders.ts";
import { createKeys, type Keys } from "./keys.ts";
import type { CallOptions, HoldallOptions } from "./options.ts";
import { createSearch, type SearchOptions } from "./search.ts";
import { createSettings, type Settings } from "./settings.ts";
import { createTransport, type Transport } from "./transport.ts";

// biome-ignore lint/performance/noBarrelFile: this is the package's one entry.
export { actionTexts } from "../../contract/activity.ts";
export type * from "../../contract/types.ts";
export type { Account } from "./account.ts";
export type { Activity, ActivityPage } from "./activity.ts";
export type { Download, DownloadOptions, Range, ZipDownload } from "./download.ts";
export { HoldallError } from "./error.ts";
export type {
  Change,
  FileChange,
  FilePage,
  Files,
  ListOptions,
  PageOptions,
  SignedLink,
  SignOptions,
  UploadOneOptions,
  ZipForm,
  ZipSelection,
} from "./files.ts";
export type {
  BrowseOptions,
  FolderChange,
  FolderContent,
  FolderPage,
  FolderPageOptions,
  FolderSelector,
  Folders,
} from "./folders.ts";
export type { CreateKeyOptions, Keys, NewKey } from "./keys.ts";
export type { CallOptions, Fetch, HoldallOptions } from "./options.ts";
export type { SearchOptions } from "./search.ts";
export type { Settings } from "./settings.ts";
export type { OnConflict, Progress, UploadOptions } from "./upload.ts";
export type { Named, Source } from "./upload-source.ts";

export interface UrlOptions {
  /** The browser saves the file instead of showing it. */
  readonly download?: boolean | undefined;
}

export interface OverviewOptions extends CallOptions {
  readonly period?: Period | undefined;
}

/** A client of one Holdall server. */
export class Holdall {
  readonly files: Files;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly account: Account;
  readonly activity: Activity;
  readonly settings: Settings;
  readonly #transport: Transport;

  /** Throws a `TypeError` when `url` is no web address. Nothing is sent yet. */
  constructor(options: HoldallOptions) {
    this.#transport = createTransport(options);
    this.files = createFiles(this.#transport);
    this.folders = createFolders(this.#transport);
    this.keys = createKeys(this.#transport);
    this.account = createAccount(this.#transport);
    this.activity = createActivity(this.#transport);
    this.settings = createSettings(this.#transport);
  }

  /** Files and folders by a part of their names: the folders first. 404: no such folder. */
  search(text: string, options?: SearchOptions): Promise<SearchPage> {
    return createSearch(this.#transport).search(text, options);
  }

  /** The pages of a search, each asked for when it is its turn. */
  searchPages(text: string, options?: SearchOptions): AsyncGenerator<SearchPage, void> {
    return createSearch(this.#transport).searchPages(text, options);
  }

  /** The server's notice that it runs. */
  async health({ signal }: CallOptions = {}): Promise<string> {
    const call = { method: "GET", path: "/api/health", signal } as const;
    return (await this.#transport.json<{ message: string }>(call)).message;
  }

  /**
   * Resolves when requests can be served, with what is missing that they are served without, if
   * anything is. 503, at once and not tried again: why they cannot.
   */
  async ready({ signal }: CallOptions = {}): Promise<string | undefined> {
    const call = { method: "GET", path: "/api/health/ready", signal, retries: 0 } as const;
    return (await this.#transport.json<{ ready: true; degraded?: string }>(call)).degraded;
  }

  /** What there is and how it is used; the traffic of the last day, or longer. */
  overview({ period, signal }: OverviewOptions = {}): Promise<OverviewObject> {
    const call = { method: "GET", path: "/api/overview", query: { period }, signal } as const;
    return this.#transport.json<OverviewObject>(call);
  }

  /** The API's description in OpenAPI 3.1. */
  async openapi({ signal }: CallOptions = {}): Promise<Record<string, unknown>> {
    const call = { method: "GET", path: "/api/openapi.json", signal } as const;
    return (await this.#transport.open(call)).json();
  }

  /**
   * The absolute hosting URL of a file, of a key, or of a signed link. A private file's own URL
   * opens only in a browser that is signed in; `files.sign` makes links that anyone can open.
   */
  url(file: string | { readonly url: string }, { download = false }: UrlOptions = {}): string {
    const path =
      typeof file === "string"
        ? `api/hosting/${file.split("/").map(encodeURIComponent).join("/")}`
        : file.url;
    const address = this.#transport.address(path);
    if (!download) return address;
    return `${address}${address.includes("?") ? "&" : "?"}download=1`;
  }
}
