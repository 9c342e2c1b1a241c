import { openApiText } from "../contract/openapi.ts";
import manifest from "../package.json" with { type: "json" };

await Bun.write(new URL("../openapi.json", import.meta.url), openApiText(manifest));
