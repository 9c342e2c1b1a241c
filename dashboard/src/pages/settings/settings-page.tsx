import { Page } from "../../components/page.tsx";
import { ThemeSwitch } from "../../components/theme-switch.tsx";
import { EmailForm } from "./email-form.tsx";
import { InstanceSections } from "./instance-sections.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Section } from "./section.tsx";
import { SessionList } from "./session-list.tsx";

export function SettingsPage() {
  return (
    <Page title="Settings" lede="Your account and how this instance behaves.">
      <Section title="Appearance" lede="Saved in this browser.">
        <div className="max-w-80">
          <ThemeSwitch look="words" />
        </div>
      </Section>
      <Section anchor="profile" title="Profile" lede="You sign in with this address.">
        <EmailForm />
      </Section>
      <Section
        anchor="password"
        title="Password"
        lede="Changing your password signs you out everywhere else."
      >
        <PasswordForm />
      </Section>
      <Section anchor="sessions" title="Sessions" lede="Devices signed in to this account.">
        <SessionList />
      </Section>
      <InstanceSections />
    </Page>
  );
}
