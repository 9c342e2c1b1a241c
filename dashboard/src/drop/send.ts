import { type DropOptions, type Dropped, dropTo } from "../../../sdk/src/holdall.ts";

/** Sends the files to the link of this page. Loaded when files are chosen, because it is the larger part. */
export const send = (files: readonly File[], options: DropOptions): Promise<Dropped> =>
  dropTo(location.pathname, files, options);
