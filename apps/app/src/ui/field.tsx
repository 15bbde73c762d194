import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { IconButton } from './button.tsx';
import './field.css';

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string;
  /** The translated validation error. */
  error?: string | null | undefined;
  hint?: string;
  /** Content at the end of the input, inside its frame. */
  end?: ReactNode;
};

/** A labeled input with its hint or error. */
export function Field({ label, error, hint, end, className = '', ...rest }: FieldProps) {
  const id = useId();
  const descriptionId = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={`field ${className}`} data-invalid={error ? true : undefined}>
      <label htmlFor={id}>{label}</label>
      <div className="field-frame">
        <input
          {...rest}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={descriptionId}
        />
        {end}
      </div>
      {error ? (
        <p className="field-error" id={`${id}-error`} data-testid="error">
          {error}
        </p>
      ) : (
        hint && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** A password input with a button that reveals the password. */
export function PasswordField(props: Omit<FieldProps, 'end' | 'type'>) {
  const { t } = useTranslation();
  const [isRevealed, setRevealed] = useState(false);
  return (
    <Field
      {...props}
      type={isRevealed ? 'text' : 'password'}
      dir="ltr"
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          label={t(isRevealed ? 'account.hidePassword' : 'account.showPassword')}
          aria-pressed={isRevealed}
          onClick={() => setRevealed(!isRevealed)}
        >
          {isRevealed ? <EyeOff size={20} /> : <Eye size={20} />}
        </IconButton>
      }
    />
  );
}

/** A checkbox whose label may contain links. */
export function Checkbox({
  children,
  error,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'id'> & { error?: string | null }) {
  const id = useId();
  return (
    <div className="checkbox" data-invalid={error ? true : undefined}>
      <input
        {...rest}
        type="checkbox"
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      <label htmlFor={id}>{children}</label>
      {error && (
        <p className="field-error" id={`${id}-error`} data-testid="error">
          {error}
        </p>
      )}
    </div>
  );
}
