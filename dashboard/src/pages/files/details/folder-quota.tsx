import { useQuery } from "@tanstack/react-query";
import { Gauge } from "lucide-react";
import { useState } from "react";
import type { FolderObject } from "../../../../../sdk/src/holdall.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { QuotaBar } from "../../../quotas/quota-bar.tsx";
import { quotaState } from "../../../quotas/quota-share.ts";
import { quotasQuery } from "../../../quotas/quotas-query.ts";
import { can } from "../../../rights/rights.ts";
import { QuotaDialog } from "../dialogs/quota-dialog.tsx";
import { DetailSection } from "./detail-list.tsx";

/**
 * The quota that a folder's content counts for. A folder directly below the root has its own, which can be set here.
 * Nothing for the root.
 */
export function FolderQuota({ folder }: { readonly folder: FolderObject }) {
  const { data: quotas, error } = useQuery(quotasQuery);
  const [isOpen, setIsOpen] = useState(false);
  const [top = ""] = folder.key.split("/");
  const isTop = folder.key === top;
  const quota = quotas?.find((each) => each.folder.key === top);
  const mayChange = isTop && can("admin");
  if (top === "" || (!mayChange && quota === undefined)) return null;
  return (
    <DetailSection title={isTop ? "Quota" : `Quota of “${top}”`}>
      {error && <p className="text-bad text-sm">{error.message}</p>}
      {quotas && !quota && <p className="text-muted text-sm">No limit.</p>}
      {quota && <QuotaBar quota={quota} />}
      {quota && quotaState(quota) === "full" && (
        <Notice tone="bad">
          Nothing more fits in. The trash and earlier versions of the folder count, too.
        </Notice>
      )}
      {quota && quotaState(quota) === "nearly full" && (
        <Notice tone="warn">More than 90 % of the quota is used.</Notice>
      )}
      {mayChange && quotas && (
        <div>
          <Button size="sm" Icon={Gauge} onClick={() => setIsOpen(true)}>
            {quota ? "Change quota…" : "Set quota…"}
          </Button>
        </div>
      )}
      {isOpen && <QuotaDialog folder={folder} quota={quota} onClose={() => setIsOpen(false)} />}
    </DetailSection>
  );
}
