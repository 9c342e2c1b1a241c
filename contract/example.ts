/** The id of a file, an API key or another object that is not a folder. */
export const EXAMPLE_ID = "019c12a4f5d0722f9d3c1e5b7a90c4e8";
export const EXAMPLE_FOLDER_ID = "019c12a4e3b4722f9d3c1e5b7a90c4e8";
export const EXAMPLE_UNDO_ID = "019c12a5b1c8722f9d3c1e5b7a90c4e8";
/** The last segment of the URL of an upload or a batch. */
export const EXAMPLE_TOKEN = `${EXAMPLE_ID}.Yk3vTq7mJx0ZbN5cRw9dLg2sHf8uPa4eKi6oVtBy1nQ`;

/** One command line of an example. */
export interface CurlVariant {
  /** A comment above the command. */
  readonly title?: string;
  /** Options besides the method, the credentials and the body. */
  readonly options: readonly string[];
  /** Left out: with the example's body, if it has one. */
  readonly withoutBody?: true;
}

/** An example request, from which the reference makes a curl command, and the same with the SDK. */
export interface Example {
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: object | undefined;
  /** Default: one command without further options. */
  readonly curl?: readonly CurlVariant[];
  /** TypeScript with a `holdall` client. */
  readonly sdk: string;
}
