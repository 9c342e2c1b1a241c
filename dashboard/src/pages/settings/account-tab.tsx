import { ThemeSwitch } from "../../components/theme-switch.tsx";
import { EmailForm } from "./email-form.tsx";
import { Section, SectionList } from "./section.tsx";

export const AccountTab = () => (
  <SectionList>
    <Section title="Profile" description="You sign in with this address.">
      <EmailForm />
    </Section>
    <Section title="Appearance" description="Saved in this browser.">
      <div className="max-w-80">
        <ThemeSwitch variant="labels" />
      </div>
    </Section>
  </SectionList>
);
