/** The most files that one request signs. */
export const MAX_SIGNED_FILES = 1000;
