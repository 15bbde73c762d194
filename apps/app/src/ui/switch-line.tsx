import type { ReactNode } from 'react';
import './switch-line.css';

/** A row with a switch, its label, and a hint that may explain the current state. */
export function SwitchLine({
  label,
  hint,
  icon,
  checked,
  disabled = false,
  testId,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  icon?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  testId: string;
  onChange(checked: boolean): void;
}) {
  return (
    <label className="switch-line">
      {icon}
      <span className="line-words">
        <span>{label}</span>
        {hint && <span>{hint}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        data-testid={testId}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}
