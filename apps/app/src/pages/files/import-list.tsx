import X from 'lucide-react/icons/x';
import { formatCount, formatPercentage, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { folderPercent } from '../../page-kit/folders.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths, recordingPath } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { WatchedFolder } from '../../ports/folders.ts';
import type { Import } from '../../ports/imports.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressRing } from '../../ui/ring.tsx';

type OngoingImport = Extract<WatchedFolder['state'], { status: 'importing' }>;
type FailedState = Extract<Import['state'], { status: 'failed' }>;

function FailedImport({ id, name, code }: { id: string; name: string; code: FailedState['code'] }) {
  const { t } = useTranslation();
  const { imports } = useServices();
  const key = code === 'file_missing' ? 'io_failed' : code;
  return (
    <Notice
      // Without bidi isolation, the quotation marks around a name in another script would move.
      message={t(`imports.${key}.what`, { name: isolate(name) })}
      detail={t(`imports.${key}.means`)}
      code={`import ${code}`}
      action={<Button onClick={() => imports.cancel(id)}>{t('imports.dismiss')}</Button>}
    />
  );
}

function KnownImport({ id, name, recordId }: { id: string; name: string; recordId: string }) {
  const { t } = useTranslation();
  const { imports } = useServices();
  return (
    <Notice
      tone="plain"
      message={t('imports.known.what', { name: isolate(name) })}
      detail={t('imports.known.means')}
      action={
        <>
          <PageLink
            to={recordingPath(recordId)}
            className="button"
            data-look="plain"
            onClick={() => imports.cancel(id)}
          >
            {t('imports.known.open')}
          </PageLink>
          <Button variant="quiet" onClick={() => imports.cancel(id)}>
            {t('imports.dismiss')}
          </Button>
        </>
      }
    />
  );
}

/** Shows the progress of a folder's import. */
function FolderImport({ name, state }: { name: string; state: OngoingImport }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const label = t('folders.importingFrom', {
    name: isolate(name),
    number: formatCount(state.number, language),
    total: formatCount(state.total, language),
  });
  return (
    <PageLink to={paths.folders} className="import-row">
      <ProgressRing percent={folderPercent(state)} label={label} />
      <span className="import-words">
        <span className="import-name" dir="auto">
          {state.name}
        </span>
        <span className="tabular">{label}</span>
      </span>
    </PageLink>
  );
}

function ImportRow({ id, name, state }: Import) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { imports } = useServices();
  if (state.status === 'failed') return <FailedImport id={id} name={name} code={state.code} />;
  if (state.status === 'known') {
    return <KnownImport id={id} name={name} recordId={state.recordId} />;
  }
  const percent = state.status === 'working' ? Math.floor(state.fraction * 100) : 0;
  const status =
    state.status === 'working'
      ? t('imports.working', { percent: formatPercentage(percent, language) })
      : t('imports.waiting');
  return (
    <div className="import-row">
      <ProgressRing percent={percent} label={status} paused={state.status === 'waiting'} />
      <span className="import-words">
        <span className="import-name" dir="auto">
          {name}
        </span>
        <span className="tabular">{status}</span>
      </span>
      <IconButton label={t('imports.cancel', { name })} onClick={() => imports.cancel(id)}>
        <X size={20} />
      </IconButton>
    </div>
  );
}

/** Lists the imports in progress and the failed ones. */
export function ImportList() {
  const { t } = useTranslation();
  const { imports, folders } = useServices();
  const pendingImports = useStore(imports.state);
  const importingFolders = (useStore(folders.folders) ?? []).flatMap(({ id, name, state }) =>
    state.status === 'importing' ? [{ id, name, state }] : [],
  );
  if (pendingImports.length + importingFolders.length === 0) return null;
  return (
    <ul className="import-list" aria-label={t('imports.label')}>
      {pendingImports.map((pendingImport) => (
        <li key={pendingImport.id} data-testid="import-row" data-state={pendingImport.state.status}>
          <ImportRow {...pendingImport} />
        </li>
      ))}
      {importingFolders.map(({ id, name, state }) => (
        <li key={id} data-testid="folder-import">
          <FolderImport name={name} state={state} />
        </li>
      ))}
    </ul>
  );
}
