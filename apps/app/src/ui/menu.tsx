import { type ReactNode, Suspense } from 'react';
import { lazyPage } from './lazy-page.ts';

export type MenuItem =
  | {
      readonly kind: 'action';
      readonly label: string;
      readonly icon?: ReactNode;
      readonly danger?: boolean;
      run(): void;
    }
  | { readonly kind: 'choice'; readonly label: string; readonly checked: boolean; run(): void };

export type MenuProps = {
  /** Where it opens; null is closed. One menu serves a whole list. */
  readonly anchor: Element | null;
  readonly label: string;
  readonly items: readonly MenuItem[];
  onClose(): void;
};

const Popup = lazyPage<MenuProps>(() => import('./menu-popup.tsx'));

/** Fetches the menu's code ahead of the first press. */
export function preloadMenu(): void {
  // Without it the first press loads it, and reports what is wrong.
  Popup.preload().catch(() => {});
}

/** A menu at an element. Its code comes with the first one that opens. */
export function Menu(props: MenuProps) {
  if (!props.anchor) return null;
  return (
    <Suspense fallback={null}>
      <Popup {...props} />
    </Suspense>
  );
}
