import { useEffect, useRef, useState } from "react";
import { redirectTo } from "../../app/navigation/location.ts";
import type { PageProps } from "../../app/navigation/page-props.ts";
import { usePageTitle } from "../../app/navigation/page-title.ts";
import { Page } from "../../components/page.tsx";
import { useCan } from "../../rights/rights.ts";
import { AccountTab } from "./account-tab.tsx";
import { InstanceTab } from "./instance-tab.tsx";
import { LogoSection } from "./logo-section.tsx";
import { SecurityTab } from "./security-tab.tsx";
import { SettingsIndex } from "./settings-index.tsx";
import { type SettingsTab, settingsTabs, tabOf } from "./settings-tabs.ts";

/** The settings in tabs. A tab that was shown stays, so that it keeps what was typed. */
export function SettingsPage({ rest }: PageProps) {
  const tab = tabOf(rest) ?? settingsTabs()[0];
  const can = useCan();
  const scroller = useRef<HTMLElement>(null);
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (tabOf(rest) === undefined) redirectTo("/settings");
  }, [rest]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab starts at its top.
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a cleanup.
    scroller.current?.scrollTo(0, 0);
  }, [tab]);
  usePageTitle(`${tab?.title ?? ""} settings`);
  if (tab === undefined) return null;
  if (!visited.has(tab.path)) setVisited(new Set([...visited, tab.path]));

  return (
    <Page
      ref={scroller}
      title="Settings"
      description={can("admin") ? "Your account and how this instance behaves." : "Your account."}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[10rem_minmax(0,1fr)] lg:gap-10">
        <SettingsIndex current={tab} />
        <div>
          {settingsTabs()
            .filter(({ path }) => visited.has(path))
            .map((each) => (
              <div key={each.path} hidden={each !== tab}>
                <TabContent tab={each} />
              </div>
            ))}
        </div>
      </div>
    </Page>
  );
}

function TabContent({ tab }: { readonly tab: SettingsTab }) {
  if (tab.path === "account") return <AccountTab />;
  if (tab.path === "security") return <SecurityTab />;
  return (
    <InstanceTab groups={tab.groups}>{tab.path === "appearance" && <LogoSection />}</InstanceTab>
  );
}
