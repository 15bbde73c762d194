import { Suspense } from 'react';
import { lazyPage } from '../../ui/lazy-page.ts';

export type ExportProps = { readonly ids: readonly string[]; onClose(): void };

const LazySheet = lazyPage<ExportProps>(() => import('./export-sheet.tsx'));

/** The sheet in which recordings are exported or shared. Render it to open it. */
export function Export(props: ExportProps) {
  return (
    <Suspense fallback={null}>
      <LazySheet {...props} />
    </Suspense>
  );
}
