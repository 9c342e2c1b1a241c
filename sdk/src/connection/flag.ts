/** A query parameter that is either `1` or left out. */
export const flag = (isSet = false): "1" | undefined => (isSet ? "1" : undefined);
