/**
 * The name of the setting that a catalog has as long as it is being filled: its value is the id of
 * the root folder of the instance that it will be. No instance has it.
 */
export const UNPUBLISHED = "filling";
