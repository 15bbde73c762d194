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
  /** The element that the open menu is anchored to, or null while the menu is closed. */
  readonly anchor: Element | null;
  readonly label: string;
  readonly items: readonly MenuItem[];
  onClose(): void;
};

const Popup = lazyPage<MenuProps>(() => import('./menu-popup.tsx'));

/** Loads the menu's code before the menu is first opened. */
export function preloadMenu(): void {
  // Ignore a failure: the first click loads the code again and reports it.
  Popup.preload().catch(() => {});
}

/** A menu anchored to an element. Its code is loaded when the menu is first opened. */
export function Menu(props: MenuProps) {
  if (!props.anchor) return null;
  return (
    <Suspense fallback={null}>
      <Popup {...props} />
    </Suspense>
  );
}
