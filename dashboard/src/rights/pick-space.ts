import type { SpaceObject } from "../../../sdk/src/holdall.ts";

/**
 * Picks the space of a member: the space of the folder that the page shows, if there is one; else where the member worked
 * last; else in the first space whose folder is not in the trash. undefined: there are no spaces.
 */
export function pickSpace(
  spaces: readonly SpaceObject[],
  last: string | null,
  key: string | undefined,
): SpaceObject | undefined {
  const holds = ({ folder }: SpaceObject): boolean =>
    key !== undefined && folder.key !== null && isWithin(key, folder.key);
  const before = spaces.find(({ id }) => id === last);
  if (before !== undefined && (key === undefined || holds(before))) return before;
  return (
    spaces.find(holds) ?? before ?? spaces.find(({ folder }) => folder.key !== null) ?? spaces[0]
  );
}

/** Whether a key is that of a folder, or of something in it. */
export const isWithin = (key: string, folder: string): boolean =>
  folder === "" || key === folder || key.startsWith(`${folder}/`);
