/** The beginning of every query key of links. */
export const linksKey = ["links"] as const;
