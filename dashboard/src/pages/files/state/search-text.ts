import { createContext } from "react";

/** The text that the list is searched for, to highlight it in names; empty: there is no search. */
export const SearchText = createContext("");
