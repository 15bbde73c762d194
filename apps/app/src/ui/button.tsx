import type { ComponentProps, ReactNode } from 'react';
import './button.css';

type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

/**
 * A text button. While `busy`, it keeps its width and focus, announces its state to screen readers, and ignores clicks.
 */
export function Button({
  variant: look = 'plain',
  busy = false,
  wide = false,
  icon,
  children,
  className = '',
  onClick,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & {
  variant?: ButtonVariant;
  busy?: boolean;
  wide?: boolean;
  icon?: ReactNode;
}) {
  return (
    <button
      {...rest}
      type={type}
      className={`button ${className}`}
      data-look={look}
      data-wide={wide || undefined}
      data-busy={busy || undefined}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon}
      <span>{children}</span>
      {busy && <span className="button-spinner" aria-hidden="true" />}
    </button>
  );
}

/** The button at the end of a form, which submits it. */
export function SubmitButton(
  props: Omit<ComponentProps<typeof Button>, 'type' | 'variant' | 'wide'>,
) {
  return <Button {...props} type="submit" variant="primary" wide />;
}

/** A button that shows only an icon. `label` is its accessible name. */
export function IconButton({
  label,
  children,
  className = '',
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      className={`icon-button ${className}`}
      aria-label={label}
      title={label}
    >
      {children}
    </button>
  );
}
