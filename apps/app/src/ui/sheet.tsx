import { type ReactNode, Suspense } from 'react';
import { lazyPage } from './lazy-page.ts';

export type SheetProps = {
  readonly title: string;
  readonly children: ReactNode;
  onClose(): void;
};

const LazySheet = lazyPage<SheetProps>(() => import('./sheet-popup.tsx'));

/** Shows a modal sheet, which is open while rendered. */
export function Sheet(props: SheetProps) {
  return (
    <Suspense fallback={null}>
      <LazySheet {...props} />
    </Suspense>
  );
}
