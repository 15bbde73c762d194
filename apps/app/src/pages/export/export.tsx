import { Suspense } from 'react';
import { lazyPage } from '../../ui/lazy-page.ts';

export type ExportProps = { readonly ids: readonly string[]; onClose(): void };

const LazySheet = lazyPage<ExportProps>(() => import('./export-sheet.tsx'));

/** The sheet for exporting and sharing recordings, open while rendered. */
export function Export(props: ExportProps) {
  return (
    <Suspense fallback={null}>
      <LazySheet {...props} />
    </Suspense>
  );
}
