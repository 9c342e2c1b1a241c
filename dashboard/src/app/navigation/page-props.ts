export interface PageProps {
  /** The rest of the path after the route's own, percent-encoded, without a leading slash. */
  readonly rest: string;
}
