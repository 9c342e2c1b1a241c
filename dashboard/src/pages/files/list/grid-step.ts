export interface GridShape {
  readonly columns: number;
  /** Entries that fit into the viewport. */
  readonly perPage: number;
}

/** How many entries a key moves forward; undefined if it does not move. */
export function gridStep(key: string, { columns, perPage }: GridShape): number | undefined {
  switch (key) {
    case "ArrowDown":
      return columns;
    case "ArrowUp":
      return -columns;
    case "ArrowRight":
      return columns > 1 ? 1 : undefined;
    case "ArrowLeft":
      return columns > 1 ? -1 : undefined;
    case "PageDown":
      return perPage;
    case "PageUp":
      return -perPage;
    case "Home":
      return Number.NEGATIVE_INFINITY;
    case "End":
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}
