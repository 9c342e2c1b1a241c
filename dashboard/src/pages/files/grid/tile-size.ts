import { readStored, writeStored } from "../../../app/local-storage.ts";
import { createStore } from "../../../app/store.ts";

const STORAGE_KEY = "holdall-tile-size";

export type TileSize = "s" | "m" | "l";

interface TileShape {
  /** The least, in pixels: tiles fill their row. */
  readonly width: number;
  /** Also on narrow screens. */
  readonly minColumns: number;
  /** The height of the name and the line below it. */
  readonly footer: number;
}

const SHAPES: Readonly<Record<TileSize, TileShape>> = {
  s: { width: 128, minColumns: 3, footer: 36 },
  m: { width: 184, minColumns: 2, footer: 56 },
  l: { width: 288, minColumns: 1, footer: 56 },
};

export const TILE_GAP = 16;

const stored = readStored(STORAGE_KEY);

/** The size of tiles last chosen in this browser. */
export const tileSizeStore = createStore<TileSize>(stored === "s" || stored === "l" ? stored : "m");

export function setTileSize(size: TileSize): void {
  tileSizeStore.set(size);
  writeStored(STORAGE_KEY, size);
}

interface TileLayout {
  readonly columns: number;
  /** The width of a tile. */
  readonly width: number;
  readonly height: number;
}

/** The number of columns, and the size of tiles, in rows of this width. */
export function layOutTiles(size: TileSize, width: number): TileLayout {
  const { width: least, minColumns, footer } = SHAPES[size];
  const columns = Math.max(minColumns, Math.floor((width + TILE_GAP) / (least + TILE_GAP)));
  const tileWidth = (width - (columns - 1) * TILE_GAP) / columns;
  return { columns, width: tileWidth, height: Math.round(tileWidth * 0.72) + footer };
}
