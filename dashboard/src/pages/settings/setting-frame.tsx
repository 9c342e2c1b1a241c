import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { SETTING_LABELS, type SettingName, settingText } from "../../text/setting-text.ts";
import { SETTING_HINTS } from "./setting-hints.ts";

export interface SettingFrameProps {
  readonly name: SettingName;
  readonly setting: {
    readonly value: string | number;
    readonly default: string | number;
    readonly pinned: boolean;
    readonly variable: string;
  };
  /** The id of the field, from which those of its hint and its error follow. */
  readonly id: string;
  readonly error: string | undefined;
  readonly onDefault: () => void;
  readonly children: ReactNode;
}

/** Around the field of a setting: its name, what it does, who decides it, and its default. */
export function SettingFrame(props: SettingFrameProps) {
  const { name, setting, id, error, onDefault, children } = props;
  const usual = settingText(name, setting.default);
  const isUsual = setting.value === setting.default;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
        <label id={`${id}-label`} htmlFor={id} className="font-medium text-sm">
          {SETTING_LABELS[name]}
        </label>
        {setting.pinned && (
          <Badge>
            <Lock aria-hidden className="size-3" />
            Pinned by <code className="font-mono">{setting.variable}</code>
          </Badge>
        )}
      </div>
      {children}
      <p id={`${id}-error`} role="alert" className="text-bad text-sm empty:hidden">
        {error}
      </p>
      <p id={`${id}-hint`} className="text-muted text-sm">
        {SETTING_HINTS[name]}{" "}
        {setting.pinned
          ? "The server's environment decides it: change the variable there, or remove it."
          : `Default: ${usual}.`}
      </p>
      {!setting.pinned && !isUsual && (
        <div>
          <Button
            variant="quiet"
            size="sm"
            className="-ml-2.5 text-muted"
            aria-label={`Back to the default of ${SETTING_LABELS[name]}`}
            onClick={onDefault}
          >
            Back to the default
          </Button>
        </div>
      )}
    </div>
  );
}
