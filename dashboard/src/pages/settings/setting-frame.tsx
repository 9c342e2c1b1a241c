import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { formatSetting, SETTING_LABELS, type SettingName } from "../../text/format-setting.ts";
import { SETTING_HINTS } from "./setting-hints.ts";

export interface SettingFrameProps {
  readonly name: SettingName;
  readonly setting: {
    readonly value: string | number | boolean;
    readonly default: string | number | boolean;
    readonly pinned: boolean;
    readonly variable: string;
  };
  /** The id of the input; the ids of the label, hint and error derive from it. */
  readonly id: string;
  readonly error: string | undefined;
  readonly onDefault: () => void;
  readonly children: ReactNode;
}

/** The frame of a setting: label, hint, error, default value and whether it is pinned. */
export function SettingFrame(props: SettingFrameProps) {
  const { name, setting, id, error, onDefault, children } = props;
  const isDefault = setting.value === setting.default;
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
          ? "Set by the server's environment. Change or remove the variable there."
          : `Default: ${formatSetting(name, setting.default)}.`}
      </p>
      {!setting.pinned && !isDefault && (
        <div>
          <Button
            variant="quiet"
            size="sm"
            className="-ml-2.5 text-muted"
            aria-label={`Reset to default: ${SETTING_LABELS[name]}`}
            onClick={onDefault}
          >
            Reset to default
          </Button>
        </div>
      )}
    </div>
  );
}
