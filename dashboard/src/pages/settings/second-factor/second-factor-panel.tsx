import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { holdall } from "../../../app/connection/client.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { formatCount } from "../../../text/format-count.ts";
import { EnableDialog } from "./enable-dialog.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";

type Dialog = "enable" | "disable" | "renew";

/** Shows whether two-step sign-in is on, and changes that. */
export function SecondFactorPanel() {
  const [dialog, setDialog] = useState<Dialog>();
  const [codes, setCodes] = useState<readonly string[]>();
  const state = useQuery({
    queryKey: ["second-factor"],
    queryFn: ({ signal }) => holdall.account.secondFactor({ signal }),
  });
  if (state.error && state.data === undefined) {
    return (
      <LoadError
        title="Couldn't load two-step sign-in"
        error={state.error}
        onRetry={() => void state.refetch()}
      />
    );
  }
  if (state.data === undefined) return <Skeleton className="h-16" />;
  const { enabledAt, recoveryCodes } = state.data;
  const close = () => setDialog(undefined);
  const showCodes = (made: readonly string[]) => {
    close();
    setCodes(made);
  };
  return (
    <div className="flex flex-col items-start gap-4">
      {enabledAt === null ? (
        <>
          <p>
            <Badge>Off</Badge> Only the password protects this account.
          </p>
          <Button onClick={() => setDialog("enable")}>Set up…</Button>
        </>
      ) : (
        <>
          <p>
            <Badge tone="good">On</Badge> Since <Timestamp at={enabledAt} />.{" "}
            {formatCount(recoveryCodes, "recovery code")} left.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setDialog("renew")}>New recovery codes…</Button>
            <Button onClick={() => setDialog("disable")}>Turn off…</Button>
          </div>
        </>
      )}
      {dialog === "enable" && <EnableDialog onClose={close} onEnabled={showCodes} />}
      {dialog === "renew" && (
        <ProofDialog
          title="New recovery codes"
          submitLabel="Make new codes"
          send={(proof) => holdall.account.renewRecoveryCodes(proof)}
          onClose={close}
          onDone={showCodes}
        >
          The recovery codes that you have stop working.
        </ProofDialog>
      )}
      {dialog === "disable" && (
        <ProofDialog
          title="Turn off two-step sign-in"
          submitLabel="Turn off"
          send={(proof) => holdall.account.disableSecondFactor(proof)}
          onClose={close}
          onDone={close}
        >
          From then on, the password alone signs in.
        </ProofDialog>
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </div>
  );
}
