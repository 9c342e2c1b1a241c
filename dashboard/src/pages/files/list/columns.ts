/** Grid columns shared by the header and the rows of the list, by the width of the list. */
export const COLUMNS =
  "grid items-center gap-x-3 grid-cols-[1rem_minmax(0,1fr)_2.25rem] @lg:grid-cols-[1rem_minmax(0,1fr)_5.5rem_6.5rem_2rem] @3xl:grid-cols-[1rem_minmax(0,1fr)_6.5rem_5.5rem_7rem_2rem] @5xl:gap-x-6 @5xl:grid-cols-[1rem_minmax(0,2fr)_minmax(10rem,1fr)_minmax(8rem,0.6fr)_minmax(10rem,0.6fr)_2rem]";
