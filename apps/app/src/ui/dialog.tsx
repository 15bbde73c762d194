import { type ReactNode, Suspense } from 'react';
import { lazyPage } from './lazy-page.ts';

export type ConfirmProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** The word on the button that goes ahead. */
  readonly go: string;
  readonly danger?: boolean;
  /** Another way to go ahead. */
  readonly other?: { readonly label: string; onGo(): void } | undefined;
  readonly busy?: boolean;
  onGo(): void;
  onCancel(): void;
};
export type PromptProps = {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly go: string;
  onGo(value: string): void;
  onCancel(): void;
};

const LazyConfirm = lazyPage<ConfirmProps>(async () => ({
  default: (await import('./dialog-popup.tsx')).ConfirmDialog,
}));
const LazyPrompt = lazyPage<PromptProps>(async () => ({
  default: (await import('./dialog-popup.tsx')).PromptDialog,
}));

/** Asks before something that cannot be taken back. Render it to ask. */
export function Confirm(props: ConfirmProps) {
  return (
    <Suspense fallback={null}>
      <LazyConfirm {...props} />
    </Suspense>
  );
}

/** Asks for a line of text. Render it to ask. */
export function Prompt(props: PromptProps) {
  return (
    <Suspense fallback={null}>
      <LazyPrompt {...props} />
    </Suspense>
  );
}
