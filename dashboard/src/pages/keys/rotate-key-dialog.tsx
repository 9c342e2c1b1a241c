import type { ApiKeyObject, NewKey } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { RotateDialog } from "../../components/dialogs/rotate-dialog.tsx";
import { Notice } from "../../components/notice.tsx";

export interface RotateKeyDialogProps {
  readonly apiKey: ApiKeyObject;
  readonly onClose: () => void;
  readonly onRotated: (rotated: NewKey) => void;
}

const CHOICES = [
  { value: "0", label: "Stops working at once" },
  { value: "3600", label: "Works for 1 more hour" },
  { value: "86400", label: "Works for 24 more hours" },
  { value: "604800", label: "Works for 7 more days" },
];

/** Gives a key a new secret. */
export const RotateKeyDialog = ({ apiKey, onClose, onRotated }: RotateKeyDialogProps) => (
  <RotateDialog
    name={apiKey.name}
    submitLabel="Rotate key"
    choices={CHOICES}
    hintOf={(seconds) =>
      seconds === "0"
        ? "Apps that use the old secret lose access immediately."
        : "Change your apps to the new secret by then."
    }
    notice={
      apiKey.oldSecretExpiresAt !== null && (
        <Notice tone="info">
          This key was rotated before, and the secret from then still works. It stops working now.
        </Notice>
      )
    }
    rotate={(options) => holdall.keys.rotate(apiKey.id, options)}
    queryKey={["keys"]}
    onClose={onClose}
    onRotated={onRotated}
  >
    The key gets a new secret and new S3 credentials. Its name, access and expiry stay, and so do
    the links and upload URLs made with it.
  </RotateDialog>
);
