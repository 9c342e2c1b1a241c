// A separate script that applies the stored theme before the first paint.
import { applyTheme, storedTheme } from "./choice.ts";

applyTheme(storedTheme());
