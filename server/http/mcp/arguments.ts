import { z } from "zod";
import { required, text, visibility } from "../../../contract/text.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, splitKey } from "../../domain/names/name.ts";

/* Arguments that several tools have. */

export const path = (of: string) => text(`the path of ${of}, as a string`);

const FOLDER =
  "Path of the folder, such as `photos/2026`. Default: the top folder that the key reaches.";

export const topOrFolder = path("a folder").optional().meta({ description: FOLDER });

export const pathOfFile = path("a file").meta({
  description: "Path of the file, such as `photos/2026/harbour.jpg`.",
});

export const wholeNumber = (min: number, max: number, description: string) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error }).meta({ description });
};

/** The operations read it. */
export const moment = (description: string) =>
  text("a time such as `2026-01-31T09:30:00Z`").meta({
    description: `${description} UTC, such as \`2026-01-31T09:30:00Z\`.`,
  });

export const cursor = text("the `nextCursor` of the previous page")
  .optional()
  .meta({ description: "The `nextCursor` of the previous page, with the same arguments." });

export const newVisibility = visibility.optional().meta({
  description: "`public`: anyone who has the URL can read it. Default: as set for the folder.",
});

export const onConflict = z
  .enum(["refuse", "replace", "keepBoth", "skip"], {
    error: required("`refuse`, `replace`, `keepBoth` or `skip`"),
  })
  .default("refuse")
  .meta({
    description:
      "What to do if the path is taken. `refuse` (default): fail. `replace`: give the file the new content. `keepBoth`: use a free name. `skip`: leave the file as it is.",
  });

/** undefined: the top folder that the caller sees. Fault "invalid": it is no path. */
export function folderKeyOf(folder: string | undefined): string | undefined {
  const key = parseKey(folder ?? "");
  return key === "" ? undefined : key;
}

/** The folder and the name in a path. `folder`: "/" is the root. Fault "invalid": it is no path, or that of the root. */
export function placeOf(argument: string, given: string): { folder: string; name: string } {
  const place = given.endsWith("/") ? undefined : splitKey(parseKey(given));
  if (place === undefined) {
    throw new Fault(
      "invalid",
      `\`${argument}\` must be a path such as \`photos/2026/harbour.jpg\`.`,
    );
  }
  return { folder: place.folder === "" ? "/" : place.folder, name: place.name };
}
