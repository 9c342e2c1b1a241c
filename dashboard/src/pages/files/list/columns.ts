/** The columns of the list, the same for its head and its lines. */
export const COLUMNS =
  "grid items-center gap-x-3 grid-cols-[1rem_minmax(0,1fr)_2.25rem] sm:grid-cols-[1rem_minmax(0,1fr)_5.5rem_6.5rem_2rem] lg:grid-cols-[1rem_minmax(0,1fr)_6rem_5.5rem_7.5rem_2rem]";
