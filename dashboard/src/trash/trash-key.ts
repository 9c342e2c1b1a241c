/** The beginning of every query key of the trash. */
export const trashKey = ["trash"] as const;
