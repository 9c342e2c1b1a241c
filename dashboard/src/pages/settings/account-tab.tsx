import { EmailForm } from "./email-form.tsx";
import { Section, SectionList } from "./section.tsx";

export const AccountTab = () => (
  <SectionList>
    <Section title="Profile" description="You sign in with this address.">
      <EmailForm />
    </Section>
  </SectionList>
);
