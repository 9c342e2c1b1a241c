// Runs before anything is painted, as a script of its own: what was chosen earlier shows at once.
import { applyTheme, chosenTheme } from "./choice.ts";

applyTheme(chosenTheme());
