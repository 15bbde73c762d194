import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { EmptyState, LoadingPlaceholder } from '../../ui/notice.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { ArchivedNote } from './archived-note.tsx';
import { AskButton } from './ask-button.tsx';
import { ContinueButton } from './continue-button.tsx';
import { ContinuesNote } from './continues-note.tsx';
import { DetailBar } from './detail-header.tsx';
import { OtherRecordingView } from './other-recording.tsx';
import { ProtectedNote } from './protected-note.tsx';
import { RecordingView } from './recording-view.tsx';
import './file-detail.css';

/** The recording page. */
export default function FileDetailPage() {
  const { library } = useServices();
  const [parameters] = useSearchParams();
  const id = parameters.get('id') ?? '';
  const live = useStore(useMemo(() => library.record(id), [library, id]));
  if (live.status === 'ready' && live.value) {
    const record = live.value;
    return (
      <RecordingView
        key={id}
        record={record}
        actions={
          <>
            <AskButton record={record} />
            <ContinueButton record={record} />
            <ExportButton id={id} />
          </>
        }
        note={
          <>
            {record.continues !== null && <ContinuesNote id={record.continues} />}
            {record.is_archived === 1 && <ArchivedNote record={record} />}
            {record.is_protected === 1 && <ProtectedNote record={record} />}
          </>
        }
      />
    );
  }
  return <UnknownRecording id={id} isLoading={live.status === 'loading'} />;
}

/**
 * Shown for a recording that isn't on this device: its live text if it is in progress on another device, or else a note
 * that it doesn't exist.
 */
function UnknownRecording({ id, isLoading }: { id: string; isLoading: boolean }) {
  const { t } = useTranslation();
  const other = useStore(useServices().liveText.others).find((each) => each.id === id);
  if (other) return <OtherRecordingView recording={other} />;
  return (
    <main className="detail">
      <DetailBar />
      {isLoading ? (
        <>
          <h1 className="visually-hidden">{t('common.loading')}</h1>
          <LoadingPlaceholder />
        </>
      ) : (
        <EmptyState
          level="h1"
          title={t('detail.notFound')}
          action={
            <PageLink
              to={paths.files}
              transition="pop"
              replace
              className="button"
              data-look="primary"
            >
              {t('detail.toFiles')}
            </PageLink>
          }
        >
          {t('detail.notFoundHint')}
        </EmptyState>
      )}
    </main>
  );
}
