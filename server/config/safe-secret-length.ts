/** A shorter AUTH_SECRET can be guessed offline from one signed URL. */
export const SAFE_SECRET_LENGTH = 32;
