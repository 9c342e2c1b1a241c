import { naturalName } from "../../../contract/text/natural-name.ts";
import type { Name } from "../../domain/records.ts";
import type { FilesTable } from "../tables/tree.ts";

/** Columns derived from a file's name. Every statement that writes names of files writes these columns. */
export const nameColumns = (name: Name): Pick<FilesTable, "name" | "natural_name"> => ({
  name,
  natural_name: naturalName(name),
});
