import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Button } from './button.tsx';
import type { ConfirmProps, PromptProps } from './dialog.tsx';
import { Field } from './field.tsx';
import './dialog.css';

/** A confirmation dialog with two or three buttons. The cancel button receives initial focus. */
export function ConfirmDialog(props: ConfirmProps) {
  const { t } = useTranslation();
  const cancelButton = useRef<HTMLButtonElement>(null);
  const isBusy = props.busy ?? false;
  // The dialog stays open while the operation is in progress.
  const close = () => {
    if (!isBusy) props.onCancel();
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog" initialFocus={cancelButton}>
          <AlertDialog.Title className="dialog-title display">{props.title}</AlertDialog.Title>
          <AlertDialog.Description className="dialog-text">
            {props.children}
          </AlertDialog.Description>
          <div className="dialog-actions">
            <Button ref={cancelButton} disabled={isBusy} onClick={close}>
              {t('common.cancel')}
            </Button>
            {props.alternative && (
              <Button disabled={isBusy} onClick={props.alternative.onConfirm}>
                {props.alternative.label}
              </Button>
            )}
            <Button
              variant={props.danger ? 'danger' : 'primary'}
              busy={isBusy}
              onClick={props.onConfirm}
            >
              {props.confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Maximum number of suggestions, which fit into two or three lines on a phone. */
const MAX_SUGGESTIONS = 6;

const dateRange = { min: '1970-01-01T00:00', max: '9999-12-31T23:59' };

/** A dialog with a single input field. */
export function PromptDialog(props: PromptProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(props.value);
  const input = useRef<HTMLInputElement>(null);
  const isEmpty = value.trim() === '';
  const typed = value === props.value ? '' : value.trim().toLocaleLowerCase();
  const suggested = (props.suggestions?.texts ?? [])
    .filter((text) => text.toLocaleLowerCase().includes(typed))
    .slice(0, MAX_SUGGESTIONS);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && props.onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog" initialFocus={input}>
          <AlertDialog.Title className="dialog-title display">{props.title}</AlertDialog.Title>
          <form
            className="dialog-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (!isEmpty) props.onSubmit(value.trim());
            }}
          >
            <Field
              ref={input}
              label={props.label}
              value={value}
              type={props.type}
              {...(props.type === 'datetime-local' && dateRange)}
              maxLength={props.maxLength}
              dir="auto"
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            {suggested.length > 0 && (
              <fieldset className="dialog-suggestions">
                <legend>{props.suggestions?.title}</legend>
                {suggested.map((text) => (
                  <Button key={text} data-testid="suggestion" onClick={() => props.onSubmit(text)}>
                    <bdi>{text}</bdi>
                  </Button>
                ))}
              </fieldset>
            )}
            <div className="dialog-actions">
              <Button onClick={props.onCancel}>{t('common.cancel')}</Button>
              <Button variant="primary" type="submit" disabled={isEmpty}>
                {props.submitLabel}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
