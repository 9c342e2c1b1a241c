import { useQuery } from "@tanstack/react-query";
import { folderPath } from "../../app/navigation/file-paths.ts";
import { Link } from "../../app/navigation/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { QuotaBar } from "../../quotas/quota-bar.tsx";
import { quotaShare } from "../../quotas/quota-share.ts";
import { quotasQuery } from "../../quotas/quotas-query.ts";

/** More are in the folders' details. */
const SHOWN = 10;

/** Lists the quotas and their use, fullest first. Renders nothing if there is no quota. */
export function QuotasPanel() {
  const { data: quotas = [] } = useQuery(quotasQuery);
  if (quotas.length === 0) return null;
  const fullest = quotas.toSorted((one, other) => quotaShare(other) - quotaShare(one));
  return (
    <div className="lg:col-span-2">
      <Panel title="Quotas">
        <ul className="grid gap-4 lg:grid-cols-2 lg:gap-x-8">
          {fullest.slice(0, SHOWN).map((quota) => (
            <li key={quota.folder.id} className="min-w-0">
              <Link
                to={folderPath(quota.folder.key)}
                className="block truncate font-medium hover:underline"
              >
                <bdi>{quota.folder.key}</bdi>
              </Link>
              <QuotaBar quota={quota} />
            </li>
          ))}
        </ul>
        {quotas.length > SHOWN && (
          <p className="text-muted text-sm">And {quotas.length - SHOWN} more.</p>
        )}
      </Panel>
    </div>
  );
}
