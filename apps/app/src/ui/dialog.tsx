import { type ReactNode, Suspense } from 'react';
import { lazyPage } from './lazy-page.ts';

export type ConfirmProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** The confirm button's label. */
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** An alternative confirm button. */
  readonly alternative?: { readonly label: string; onConfirm(): void } | undefined;
  readonly busy?: boolean;
  onConfirm(): void;
  onCancel(): void;
};
export type PromptProps = {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  /** The field's type: text, or a date and time from 1970 to 9999 in this phone's time zone. */
  readonly type?: 'text' | 'datetime-local';
  /** Maximum length of the text. */
  readonly maxLength?: number;
  readonly submitLabel: string;
  /** Suggestions that the user can choose instead of typing, and the heading above them. */
  readonly suggestions?: { readonly title: string; readonly texts: readonly string[] } | undefined;
  onSubmit(value: string): void;
  onCancel(): void;
};

const LazyConfirm = lazyPage<ConfirmProps>(async () => ({
  default: (await import('./dialog-popup.tsx')).ConfirmDialog,
}));
const LazyPrompt = lazyPage<PromptProps>(async () => ({
  default: (await import('./dialog-popup.tsx')).PromptDialog,
}));

/** Shows a confirmation dialog, for example before an irreversible operation. The dialog is open while rendered. */
export function Confirm(props: ConfirmProps) {
  return (
    <Suspense fallback={null}>
      <LazyConfirm {...props} />
    </Suspense>
  );
}

/** Shows a dialog with a single input field. The dialog is open while rendered. */
export function Prompt(props: PromptProps) {
  return (
    <Suspense fallback={null}>
      <LazyPrompt {...props} />
    </Suspense>
  );
}
