import { useState } from "react";
import type { PasskeyObject } from "../../../../../sdk/src/holdall.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { obstacleHere } from "../../../passkeys/find-obstacle.ts";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { ObstacleNotice } from "./obstacle-notice.tsx";
import { PasskeyRow } from "./passkey-row.tsx";
import { RemovePasskeyDialog } from "./remove-passkey-dialog.tsx";
import { RenamePasskeyDialog } from "./rename-passkey-dialog.tsx";
import { usePasskeys } from "./use-passkeys.ts";

type Dialog = { readonly kind: "rename" | "remove"; readonly passkey: PasskeyObject };

/** Lists the passkeys, and adds, renames and removes them. */
export function PasskeyPanel() {
  const [adding, setAdding] = useState(false);
  const [dialog, setDialog] = useState<Dialog>();
  const passkeys = usePasskeys();
  const obstacle = obstacleHere();
  if (passkeys.error && passkeys.data === undefined) {
    return (
      <LoadError
        title="Couldn't load passkeys"
        error={passkeys.error}
        onRetry={() => void passkeys.refetch()}
      />
    );
  }
  if (passkeys.data === undefined) return <Skeleton className="h-16" />;
  const close = () => setDialog(undefined);
  return (
    <div className="flex flex-col gap-4">
      {passkeys.data.length > 0 && (
        <Card>
          <ul>
            {passkeys.data.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRename={() => setDialog({ kind: "rename", passkey })}
                onRemove={() => setDialog({ kind: "remove", passkey })}
              />
            ))}
          </ul>
        </Card>
      )}
      {obstacle === undefined ? (
        <div>
          <Button onClick={() => setAdding(true)}>Add a passkey…</Button>
        </div>
      ) : (
        <ObstacleNotice obstacle={obstacle} />
      )}
      {adding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
      {dialog?.kind === "rename" && (
        <RenamePasskeyDialog passkey={dialog.passkey} onClose={close} />
      )}
      {dialog?.kind === "remove" && (
        <RemovePasskeyDialog passkey={dialog.passkey} onClose={close} />
      )}
    </div>
  );
}
