import { Eye, Link, Undo2 } from "lucide-react";
import { holdall } from "../../app/connection/client.ts";
import { filePath } from "../../app/navigation/file-paths.ts";
import { navigateTo } from "../../app/navigation/location.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { showErrorToast } from "../../components/toast-store.ts";
import { copyUrl } from "../../pages/files/actions/copy-url.ts";
import { useVersionDays } from "../../trash/use-version-days.ts";
import { type Item, keyOf } from "../item.ts";
import { undoReplacement } from "../sending/undo-replacement.ts";

/** Actions for a file that has just been uploaded. */
export function StoredActions({ item }: { readonly item: Item }) {
  const withFile = (use: (file: Stored) => unknown) => {
    const key = item.storedKey ?? keyOf(item);
    holdall.files.getByKey(key).then(use).catch(showErrorToast);
  };
  const days = useVersionDays();
  return (
    <>
      {item.replacedAt !== undefined && days !== undefined && days > 0 && (
        <IconButton
          label={`Undo replacing ${item.name}`}
          Icon={Undo2}
          onClick={() => void undoReplacement(item)}
        />
      )}
      <IconButton
        label={`Open ${item.name}`}
        Icon={Eye}
        onClick={() => withFile((file) => navigateTo(filePath(file)))}
      />
      <IconButton
        label={`Copy link to ${item.name}`}
        Icon={Link}
        onClick={() => withFile(copyUrl)}
      />
    </>
  );
}

type Stored = Awaited<ReturnType<typeof holdall.files.getByKey>>;
