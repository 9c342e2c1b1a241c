const DAY = 86_400;

/** When files end, to choose from. Values are seconds from now. */
export const END_CHOICES = [
  { value: "never", label: "Never ends" },
  { value: "3600", label: "Ends after 1 hour" },
  { value: `${DAY}`, label: "Ends after 1 day" },
  { value: `${7 * DAY}`, label: "Ends after 7 days" },
  { value: `${30 * DAY}`, label: "Ends after 30 days" },
  { value: `${365 * DAY}`, label: "Ends after 1 year" },
];
