import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { HealthDetails } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { Figure, FigureList } from "../../components/figure-list.tsx";
import { Panel } from "../../components/panel.tsx";
import { Progress } from "../../components/progress.tsx";
import { showErrorToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";
import { formatDuration } from "../../text/format-duration.ts";
import { formatTimestampClause } from "../../text/timestamp.ts";
import { describeCheck } from "./describe-check.ts";
import { FindingList } from "./finding-list.tsx";
import { serverCommand } from "./server-command.ts";

export interface HealthPanelProps {
  readonly health: HealthDetails;
}

/** The last check of all files, and a button for another one. */
export function CheckPanel({ health }: HealthPanelProps) {
  const { scrub, verification, quarantine, storage } = health;
  const total = storage.files + storage.trash.files + storage.versions.count;
  const isRunning = scrub.state === "running";
  return (
    <Panel title="Checks" aside={<CheckButton health={health} />}>
      <div className="flex flex-col gap-3">
        <p>{describeCheck(scrub, total)}</p>
        {isRunning && (
          <Progress label="Files checked" value={Math.min(1, scrub.files / Math.max(1, total))} />
        )}
        {scrub.findings.length > 0 && <Findings health={health} />}
      </div>
      <FigureList>
        <Figure
          name="Automatic checks"
          value={scrub.every === null ? "Only on request" : `Every ${formatDuration(scrub.every)}`}
        />
        <Figure name="Read by the last check" value={formatBytes(scrub.bytes)} />
        <Figure
          name="Last check by command"
          value={verification === null ? "Never" : verifyText(verification)}
        />
        {quarantine !== null && (
          <Figure
            name={isOnS3(health) ? "Quarantine on the volume" : "Quarantine"}
            value={quarantine.count === 0 ? "Empty" : formatCount(quarantine.count, "folder")}
          />
        )}
      </FigureList>
    </Panel>
  );
}

function verifyText(verification: NonNullable<HealthDetails["verification"]>): string {
  const { finishedAt, quick, missing, damaged, foreign, catalog } = verification;
  const found = missing + damaged + foreign + catalog;
  const when = formatTimestampClause(finishedAt);
  return [
    `${when.charAt(0).toUpperCase()}${when.slice(1)}`,
    ...(quick ? ["sizes only"] : []),
    formatCount(found, "problem"),
  ].join(", ");
}

/** The quarantine of an S3 store is not counted. */
const isOnS3 = ({ parts }: HealthDetails): boolean => parts.some(({ kind }) => kind === "s3");

function Findings({ health }: HealthPanelProps) {
  const { findings, found } = health.scrub;
  return (
    <>
      <FindingList findings={findings} />
      {found > findings.length && (
        <p className="text-muted text-sm">
          The first {findings.length} of {formatCount(found, "problem")} are shown. Run{" "}
          <code className="font-mono">{serverCommand(health, "verify --last")}</code> for all.
        </p>
      )}
    </>
  );
}

function CheckButton({ health }: HealthPanelProps) {
  const { scrub, storage } = health;
  const [isAsking, setIsAsking] = useState(false);
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: () => holdall.startScrub(),
    onSuccess: () => client.invalidateQueries({ queryKey: ["health"] }),
    onError: showErrorToast,
    onSettled: () => setIsAsking(false),
  });
  const bytes = storage.bytes + storage.trash.bytes + storage.versions.bytes;
  return (
    <>
      <Button
        size="sm"
        Icon={ShieldCheck}
        // While files are checked, it stays for the keyboard's focus.
        busy={start.isPending || scrub.state === "running"}
        onClick={() => (isOnS3(health) ? setIsAsking(true) : start.mutate())}
      >
        {scrub.state === "paused" ? "Continue" : "Check now"}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Check all files now?"
          confirmLabel="Check now"
          tone="primary"
          busy={start.isPending}
          onConfirm={() => start.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>
            This server reads {formatBytes(bytes)} from your S3 storage. Your provider may charge
            for that. If there are several servers, check on one of them only.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
