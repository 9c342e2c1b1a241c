import { Page } from "../../components/page.tsx";
import { ThemeSwitch } from "../../components/theme-switch.tsx";
import { EmailForm } from "./email-form.tsx";
import { InstanceSections } from "./instance-sections.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Section } from "./section.tsx";
import { SessionList } from "./session-list.tsx";

export function SettingsPage() {
  return (
    <Page title="Settings" lede="Your account, and how this instance behaves.">
      <Section title="Appearance" lede="Kept in this browser.">
        <div className="max-w-80">
          <ThemeSwitch look="words" />
        </div>
      </Section>
      <Section anchor="profile" title="Profile" lede="With this address you sign in.">
        <EmailForm />
      </Section>
      <Section anchor="password" title="Password" lede="A new password ends every other session.">
        <PasswordForm />
      </Section>
      <Section anchor="sessions" title="Sessions" lede="Where this account is signed in.">
        <SessionList />
      </Section>
      <InstanceSections />
    </Page>
  );
}
