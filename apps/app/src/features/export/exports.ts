import { lazy } from '@linnet/base';
import type { ExportService } from '../../ports/exports.ts';
import { loadChunk } from '../../runtime/chunks.ts';
import type { InUse } from '../library/in-use.ts';
import type { ExporterOptions } from './exporter.ts';
import type { FileSharing } from './file-sharing.ts';

/** Creates the export service. The code that creates the files is loaded on demand. */
export function createExports({
  fileSharing,
  inUse,
  ...options
}: ExporterOptions & {
  readonly fileSharing: FileSharing;
  readonly inUse: Pick<InUse, 'hold'>;
}): ExportService {
  const load = lazy(async () => {
    const { createExporter } = await loadChunk(() => import('./exporter.ts'));
    return createExporter(options);
  });
  const toLoadFailure = (error: unknown) => {
    options.onError(error);
    return { ok: false, failure: { title: '', code: 'not_loaded' } } as const;
  };
  return {
    offer: async (id) => (await load()).offer(id),
    preview: async (id, choice) => (await load()).preview(id, choice),
    make(ids, choice, onProgress, signal) {
      const release = inUse.hold(ids);
      if (signal.aborted) release();
      else signal.addEventListener('abort', release, { once: true });
      return load().then(
        (exporter) => exporter.make(ids, choice, onProgress, signal),
        toLoadFailure,
      );
    },
    print: (ids, choice) => load().then((exporter) => exporter.print(ids, choice), toLoadFailure),
    save: fileSharing.save,
    get canShare() {
      return fileSharing.canShare;
    },
    share: fileSharing.share,
  };
}
