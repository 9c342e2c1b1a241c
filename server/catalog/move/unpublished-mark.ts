/**
 * The setting that marks the unpublished destination of a move. Its value is the id of the root
 * folder of the instance that is moved.
 */
export const UNPUBLISHED = "filling";
