import { PasskeyPanel } from "./passkeys/passkey-panel.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactorPanel } from "./second-factor/second-factor-panel.tsx";
import { Section, SectionList } from "./section.tsx";
import { SessionList } from "./session-list.tsx";

/** How the account is protected. */
export const SecurityTab = () => (
  <SectionList>
    <Section title="Password" description="Changing your password signs you out everywhere else.">
      <PasswordForm />
    </Section>
    <Section
      title="Two-step sign-in"
      description="Asks for a code from your phone as well as your password."
    >
      <SecondFactorPanel />
    </Section>
    <Section
      title="Passkeys"
      description="Sign in with your fingerprint, face or PIN. A passkey needs neither password nor code."
    >
      <PasskeyPanel />
    </Section>
    <Section title="Sessions" description="Devices signed in to this account.">
      <SessionList />
    </Section>
  </SectionList>
);
