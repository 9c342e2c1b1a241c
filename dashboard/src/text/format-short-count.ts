const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

/** Formats a count compactly: "340", "1.2K", "5M". */
export const formatShortCount = (count: number): string => short.format(count);
