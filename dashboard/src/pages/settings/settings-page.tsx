import { Page } from "../../components/page.tsx";
import { ThemeSwitch } from "../../components/theme-switch.tsx";
import { EmailForm } from "./email-form.tsx";
import { InstanceSections } from "./instance-sections.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactorPanel } from "./second-factor/second-factor-panel.tsx";
import { Section } from "./section.tsx";
import { SessionList } from "./session-list.tsx";

export function SettingsPage() {
  return (
    <Page title="Settings" description="Your account and how this instance behaves.">
      <Section title="Appearance" description="Saved in this browser.">
        <div className="max-w-80">
          <ThemeSwitch variant="labels" />
        </div>
      </Section>
      <Section anchor="profile" title="Profile" description="You sign in with this address.">
        <EmailForm />
      </Section>
      <Section
        anchor="password"
        title="Password"
        description="Changing your password signs you out everywhere else."
      >
        <PasswordForm />
      </Section>
      <Section
        anchor="two-step"
        title="Two-step sign-in"
        description="Asks for a code from your phone as well as your password."
      >
        <SecondFactorPanel />
      </Section>
      <Section anchor="sessions" title="Sessions" description="Devices signed in to this account.">
        <SessionList />
      </Section>
      <InstanceSections />
    </Page>
  );
}
