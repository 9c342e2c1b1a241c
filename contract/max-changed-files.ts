/** The most files that one request changes or copies. */
export const MAX_CHANGED_FILES = 5_000;
