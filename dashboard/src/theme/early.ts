// A separate script that applies the stored theme before the first paint.
import { applyTheme, chosenTheme } from "./choice.ts";

applyTheme(chosenTheme());
