export type { BunRequest, ErrorLike } from "bun";

/** Starts an HTTP server. */
export const { serve } = Bun;
