/** In one request. */
export const MAX_SIGNED_FILES = 1000;
