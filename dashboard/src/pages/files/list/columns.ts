/**
 * Grid columns shared by the header and the rows of the list, by the width of the list. On very wide
 * screens, the rest stays empty: what belongs to a name should not be far from it.
 */
export const COLUMNS =
  "grid items-center gap-x-3 grid-cols-[1rem_minmax(0,1fr)_2.25rem] @lg:grid-cols-[1rem_minmax(0,1fr)_5.5rem_6.5rem_2rem] @3xl:grid-cols-[1rem_minmax(0,1fr)_6.5rem_5.5rem_8.5rem_2rem] @5xl:gap-x-6 @5xl:grid-cols-[1rem_minmax(0,46rem)_8rem_6rem_9rem_minmax(2rem,1fr)]";
