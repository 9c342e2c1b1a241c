import { passwordSignsIn } from "../../app/session/sign-in-methods.ts";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Every way to sign in that the server has; then opens the path `to`. */
export const SignInChoices = ({ to }: { readonly to: string }) => (
  <>
    {passwordSignsIn && <SignInForm to={to} />}
    <ProviderSignIn to={to} isMain={!passwordSignsIn} />
    <PasskeySignIn to={to} />
  </>
);
