/** In localStorage: whether this browser may have interrupted uploads. */
export const HAS_RECORDS = "holdall-interrupted-uploads";
