import { bytesText } from "../../../server/terminal/amounts.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { RemoteSession } from "../run-remote.ts";

const PAGE_SIZE = 1_000;

/** `trash [--empty]`: lists the trash, latest deletion first, or deletes everything in it permanently. */
export async function trashRemote(
  { holdall, output, signal }: RemoteSession,
  rest: readonly string[],
  { empty = false }: { readonly empty?: boolean | undefined },
): Promise<number> {
  if (rest.length > 0) throw new UsageError("`trash` takes no key.");
  if (empty) {
    const ids = await holdall.trash.delete({ all: true }, { signal });
    await output.print({ type: "emptied", items: ids.length }, `Deleted ${ids.length} permanently`);
    return exitCodes.done;
  }
  for await (const item of holdall.trash.each({ limit: PAGE_SIZE, signal })) {
    const size = item.size === null ? "-" : bytesText(item.size);
    const name = `${item.key}${item.kind === "folder" ? "/" : ""}`;
    await output.print(
      { type: "trashed", ...item },
      `${item.undoId}  ${item.deletedAt}  ${size.padStart(10)}  ${name}`,
    );
  }
  return exitCodes.done;
}
