import { useQuery } from "@tanstack/react-query";
import { holdall } from "../../../app/connection/client.ts";
import { CodeBlock } from "../../../components/code-block.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { QrCode } from "../../../components/qr-code.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { ProofDialog } from "./proof-dialog.tsx";

export interface EnableDialogProps {
  readonly onClose: () => void;
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
}

/** Connects an authenticator app, and turns two-step sign-in on with its first code. */
export function EnableDialog({ onClose, onEnabled }: EnableDialogProps) {
  const prepared = useQuery({
    queryKey: ["second-factor-secret"],
    queryFn: ({ signal }) => holdall.account.prepareSecondFactor({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Each dialog has a secret of its own, which stays: the app may have it already.
    gcTime: 0,
    enabled: ({ state }) => state.data === undefined,
  });
  return (
    <ProofDialog
      title="Set up two-step sign-in"
      submitLabel="Turn on"
      codeHint="The 6 digits that the app shows now."
      send={({ currentPassword, code }) => {
        if (prepared.data === undefined) return Promise.reject(prepared.error ?? new Error(WAIT));
        const { secret } = prepared.data;
        return holdall.account.enableSecondFactor({ currentPassword, secret, code });
      }}
      onClose={onClose}
      onDone={onEnabled}
    >
      <p>
        Scan this with an authenticator app, such as Aegis, 1Password or Google Authenticator, or{" "}
        <a href={prepared.data?.uri} className="text-accent underline underline-offset-4">
          open it on this device
        </a>
        .
      </p>
      {prepared.error ? (
        <LoadError
          title="Couldn't load the secret"
          error={prepared.error}
          onRetry={() => void prepared.refetch()}
        />
      ) : prepared.data === undefined ? (
        <Skeleton className="h-44" />
      ) : (
        <>
          <QrCode text={prepared.data.uri} label="QR code for the authenticator app" />
          <CodeBlock label="Or enter this key" code={prepared.data.secret} />
        </>
      )}
    </ProofDialog>
  );
}

const WAIT = "The secret isn't loaded yet. Try again.";
