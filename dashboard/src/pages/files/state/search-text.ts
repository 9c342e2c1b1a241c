import { createContext } from "react";

/** What the list is searched for, to highlight it in names; empty: nothing. */
export const SearchText = createContext("");
