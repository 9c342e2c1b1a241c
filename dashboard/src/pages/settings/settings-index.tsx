import { Link } from "../../app/navigation/link.tsx";
import { useHasUnsaved } from "./setting-drafts.ts";
import { groupKey, type SettingsTab, settingsTabs } from "./settings-tabs.ts";

/** Links to the parts of the settings: a column, or rows where it is narrow. */
export function SettingsIndex({ current }: { readonly current: SettingsTab }) {
  return (
    <nav aria-label="Settings" className="lg:sticky lg:top-6 lg:self-start">
      <ul className="flex flex-wrap gap-1 lg:flex-col lg:gap-0.5">
        {settingsTabs().map((tab) => (
          <li key={tab.path}>
            <IndexLink tab={tab} isCurrent={tab === current} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface IndexLinkProps {
  readonly tab: SettingsTab;
  readonly isCurrent: boolean;
}

function IndexLink({ tab, isCurrent }: IndexLinkProps) {
  const { path, title, groups, forms = [] } = tab;
  const isUnsaved = useHasUnsaved([...groups.map(({ names }) => groupKey(names)), ...forms]);
  return (
    <Link
      to={`/settings/${path}`}
      aria-current={isCurrent ? "page" : undefined}
      className="flex h-9 items-center justify-between gap-2 rounded-md px-2.5 font-medium text-muted transition-colors hover:bg-press hover:text-ink aria-[current=page]:bg-press aria-[current=page]:text-ink lg:h-8"
    >
      {title}
      {isUnsaved && (
        <span data-tooltip="Unsaved changes">
          <span aria-hidden className="block size-2 rounded-full bg-accent" />
          <span className="sr-only">(unsaved changes)</span>
        </span>
      )}
    </Link>
  );
}
