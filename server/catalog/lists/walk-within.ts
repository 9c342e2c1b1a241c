import { positionAfter } from "../../domain/list-position.ts";
import type { ListPosition, Page } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledForItems, perShape } from "../engine/prepared-statement.ts";
import { type MarkedFile, selectFilesInFolders } from "../records/select-records.ts";
import { isPast, matches, walk } from "./file-walk.ts";
import type { FilesWithin, RowBatch } from "./files-within.ts";

const STEP = 250;
/** With fewer inside, finding the folders with the first files is faster. */
const MIN_SHARE = 0.1;

/**
 * Walks along an index of all files from a position on, until `limit` files are inside. undefined: the
 * share of those inside is below `minShare`.
 */
export function createWalkWithin({ all }: Pick<Engine, "all">) {
  return async (
    { within, name, sha256 }: FilesWithin,
    page: Page,
    limit: number,
    minShare = MIN_SHARE,
  ): Promise<RowBatch | undefined> => {
    const { orderBy, direction } = page;
    const shape = { orderBy, direction, named: name !== undefined, digested: sha256 !== undefined };
    const rows: MarkedFile[] = [];
    let place = page.after;
    let inside = 0;
    for (;;) {
      const statement = selectStep({ ...shape, isFirst: place === undefined })(within.length);
      // Enough if all are inside.
      const size = rows.length === 0 ? Math.min(limit, STEP) : STEP;
      const found = await all(statement, {
        items: within.map((id) => ({ id })),
        shared: {
          name: name ?? "",
          sha256: sha256 ?? "",
          placeValue: place?.value ?? null,
          placeId: place?.id ?? "",
          limit: size,
        },
      });
      for (const row of found) {
        rows.push(row);
        inside += 1 - row.outside;
        if (inside === limit) return { rows, isLast: false };
      }
      const last = found.at(-1);
      if (last === undefined || found.length < size) return { rows, isLast: true };
      if (inside < minShare * rows.length) return undefined;
      place = positionAfter(last, orderBy);
      await giveWay();
    }
  };
}

interface Shape extends Pick<Page, "orderBy" | "direction"> {
  readonly named: boolean;
  readonly digested: boolean;
  readonly isFirst: boolean;
}

interface Values {
  readonly name: string;
  readonly sha256: string;
  readonly placeValue: ListPosition["value"];
  readonly placeId: string;
  readonly limit: number;
}

const selectStep = perShape(
  ({ orderBy, direction, named, digested, isFirst }: Shape) =>
    `${orderBy} ${direction} ${named} ${digested} ${isFirst}`,
  (shape) =>
    compiledForItems<{ id: string }, Values, MarkedFile>((db, limits, param) => {
      const filter = {
        ...(shape.named ? { name: param("name") } : {}),
        ...(shape.digested ? { sha256: param("sha256") } : {}),
      };
      const place = shape.isFirst
        ? undefined
        : { value: param("placeValue"), id: param("placeId") };
      const limitIds = limits.map((limit) => limit("id"));
      return selectFilesInFolders(db, limitIds)
        .where(matches(filter))
        .where(isPast(shape, place))
        .orderBy(walk(shape))
        .limit(param("limit"));
    }),
);
