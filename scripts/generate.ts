import { apiText } from "../contract/api-text.ts";
import { withErrorCodes } from "../contract/errors-page.ts";
import { openApiText } from "../contract/openapi.ts";
import manifest from "../package.json" with { type: "json" };
import { thirdPartyText } from "../packaging/third-party.ts";
import { TYPEFACE, typeface } from "../packaging/typeface.ts";
import { withVariables } from "../server/config/describe-variables.ts";

await Bun.write(new URL("../openapi.json", import.meta.url), openApiText(manifest));

await Bun.write(new URL("../contract/api.ts", import.meta.url), apiText());

const errors = new URL("../docs/errors.md", import.meta.url);
await Bun.write(errors, withErrorCodes(await Bun.file(errors).text()));

const page = new URL("../docs/configuration.md", import.meta.url);
await Bun.write(page, withVariables(await Bun.file(page).text()));

await Bun.write(new URL("../THIRD-PARTY.md", import.meta.url), await thirdPartyText());

await Bun.write(new URL(`../${TYPEFACE}`, import.meta.url), await typeface());
