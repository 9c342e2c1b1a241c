/** The periods of the traffic, in the order of the switch. */
export const PERIODS = [
  { value: "day", label: "24 hours" },
  { value: "week", label: "7 days" },
  { value: "month", label: "30 days" },
] as const;
