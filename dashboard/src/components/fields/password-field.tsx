import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../icon-button.tsx";
import { Field, type FieldProps } from "./field.tsx";

/** A password field with a button that reveals the password. */
export function PasswordField(props: Omit<FieldProps, "type" | "trailing">) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <span className="absolute top-0 right-0 grid md:top-0.5 md:right-0.5">
          <IconButton
            label={isShown ? "Hide password" : "Show password"}
            Icon={isShown ? EyeOff : Eye}
            onClick={() => setShown(!isShown)}
          />
        </span>
      }
    />
  );
}
