import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { refuseNested } from "../instance/refuse-nested.ts";
import { bytesText, countText } from "../terminal/amounts.ts";
import { importVaze, type VazeImported } from "../transfer/vaze/import-vaze.ts";
import { openVaze, type Vaze } from "../transfer/vaze/open-vaze.ts";
import { runTransfer } from "./run-transfer.ts";
import { withImport } from "./with-import.ts";

/** `import --from-vaze FOLDER [--dry-run]`: works with or without a running server. */
export async function importVazeCommand(
  config: Config,
  folder: string,
  isDryRun: boolean,
): Promise<void> {
  const path = resolve(folder);
  refuseNested(path, config.dataPath);
  const vaze = openVaze(path);
  const result = await runTransfer(isDryRun ? "Examining" : "Importing", (report) =>
    withImport(config, report, ({ catalog, files, refreshSettings, keys }) =>
      importVaze({
        ...report,
        vaze,
        isDryRun,
        names: catalog,
        files: {
          createFolder: files.createFolder,
          async beginUpload(caller, expectedBytes) {
            await refreshSettings();
            return files.beginUpload(caller, expectedBytes);
          },
        },
        addKey: (key) => keys().adopt({ ...key, prefix: "vz_" }),
      }),
    ),
  );
  console.log(summaryOf(result, vaze, isDryRun).join("\n"));
}

function summaryOf(
  { imported, existing, keys, ...counts }: VazeImported,
  vaze: Vaze,
  isDryRun: boolean,
): string[] {
  const { conflicts, skipped, moved } = counts;
  const done = `${countText(imported.files, "file")} (${bytesText(imported.bytes)}) and ${countText(keys.added, "API key")}`;
  const present = (existing.files + keys.existing).toLocaleString("en");
  return [
    `${isDryRun ? `Nothing was changed. To import: ${done}` : `Imported ${done}`}; already present ${present}; ${countText(conflicts, "conflict")}; skipped ${skipped.toLocaleString("en")}.`,
    ...(conflicts > 0 ? ["Existing files were not changed: see the names above."] : []),
    ...(keys.expired > 0 ? [`Left out as expired: ${countText(keys.expired, "API key")}.`] : []),
    ...(moved > 0
      ? [
          `Their hosting URLs have their folders now, which this version of Vaze left out: ${countText(moved, "file")}.`,
        ]
      : []),
    `The default visibility of Vaze was ${vaze.defaultVisibility ?? "public"}: see the settings. Accounts, sessions and the activity log are not carried.`,
  ];
}
