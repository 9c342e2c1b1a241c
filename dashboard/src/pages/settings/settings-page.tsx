import { Page } from "../../components/page.tsx";
import { ThemeSwitch } from "../../components/theme-switch.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Section } from "./section.tsx";
import { SessionList } from "./session-list.tsx";

export function SettingsPage() {
  return (
    <Page title="Settings" lede="Your account on this instance.">
      <Section title="Appearance" lede="Kept in this browser.">
        <div className="max-w-60">
          <ThemeSwitch />
        </div>
      </Section>
      <Section title="Password" lede="A new password ends every other session.">
        <PasswordForm />
      </Section>
      <Section title="Sessions" lede="Where this account is signed in.">
        <SessionList />
      </Section>
    </Page>
  );
}
