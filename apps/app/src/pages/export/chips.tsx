import Check from 'lucide-react/icons/check';
import Lock from 'lucide-react/icons/lock';
import { useId } from 'react';
import { useTranslation } from '../../i18n/index.ts';

/** Selects one format. Formats that require membership show a lock, but can be previewed. */
export function FormatChips<Format extends string>({
  label,
  formats,
  value,
  name: getName,
  isLocked,
  onChange,
}: {
  label: string;
  formats: readonly Format[];
  value: Format;
  name(format: Format): string;
  isLocked?(format: Format): boolean;
  onChange(format: Format): void;
}) {
  const { t } = useTranslation();
  const group = useId();
  return (
    <fieldset className="export-group">
      <legend>{label}</legend>
      <div className="export-chips">
        {formats.map((format) => (
          <label key={format} className="pick" data-testid={`format-${format}`}>
            <input
              type="radio"
              name={group}
              className="visually-hidden"
              checked={format === value}
              onChange={() => onChange(format)}
            />
            {isLocked?.(format) && (
              <Lock size={14} role="img" aria-label={t('summary.forMembers')} />
            )}
            {getName(format)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Chips for selecting any number of options. */
export function CheckChips<Value extends string>({
  label,
  options,
  onToggle,
}: {
  label: string;
  options: readonly { readonly value: Value; readonly label: string; readonly isOn: boolean }[];
  onToggle(value: Value, isOn: boolean): void;
}) {
  return (
    <fieldset className="export-group">
      <legend>{label}</legend>
      <div className="export-chips">
        {options.map(({ value, label: optionLabel, isOn }) => (
          <label key={value} className="pick" data-testid={`with-${value}`}>
            <input
              type="checkbox"
              className="visually-hidden"
              checked={isOn}
              onChange={(event) => onToggle(value, event.currentTarget.checked)}
            />
            {isOn && <Check size={16} aria-hidden="true" />}
            {optionLabel}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
