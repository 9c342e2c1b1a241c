import { useEffect, useState } from "react";
import { useStore } from "../../../app/store.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Progress } from "../../../components/progress.tsx";
import { type BulkOperation, bulkStore } from "./bulk-store.ts";

const SHOW_AFTER_MS = 600;

/** The progress of a bulk operation, shown once it takes longer than `SHOW_AFTER_MS`. */
export function BulkProgress() {
  const bulk = useStore(bulkStore);
  const running = bulk !== undefined;
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!running) return setIsLong(false);
    const timer = setTimeout(() => setIsLong(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [running]);
  return running && isLong ? <Running {...bulk} /> : null;
}

function Running({ title, done, total, waitingMessage, stop }: BulkOperation) {
  return (
    <Dialog title={`${title}…`} onClose={stop} footer={<Button onClick={stop}>Stop</Button>}>
      {total > 1 && (
        <p className="text-muted tabular-nums">
          {done.toLocaleString()} of {total.toLocaleString()}
        </p>
      )}
      <Progress label={title} value={total > 1 ? done / total : undefined} />
      <p role="status" className="min-h-5 text-muted text-sm">
        {waitingMessage}
      </p>
    </Dialog>
  );
}
