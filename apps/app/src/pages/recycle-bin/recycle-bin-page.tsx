import ArrowLeft from 'lucide-react/icons/arrow-left';
import ListChecks from 'lucide-react/icons/list-checks';
import Trash2 from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import { formatCount, formatDurationInSentence } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { vibrate } from '../../page-kit/media.ts';
import { PageLink, useBack, useFocusOnArrival } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState, LoadingPlaceholder } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SelectionAction, SelectionBar, SelectionHeader } from '../files/selection-bar.tsx';
import { useSelection } from '../files/use-selection.ts';
import { BinList, type BinnedRecord } from './bin-list.tsx';
import '../../page-kit/page.css';
import './recycle-bin.css';

const totalSeconds = (records: readonly BinnedRecord[]) =>
  records.reduce((sum, { record_time }) => sum + record_time, 0);

const noRecords: readonly BinnedRecord[] = [];

/** The recycle bin, where recordings can be restored or permanently deleted. */
export default function RecycleBinPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const live = useStore(library.bin);
  const back = useBack(paths.files);
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  const save = useSave();
  const show = useToast();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [recordsToDelete, setRecordsToDelete] = useState<readonly BinnedRecord[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const records = live.status === 'ready' ? live.value : noRecords;
  const selection = useSelection(records);
  const { picked, pick, begin, end } = selection;
  const isSelecting = selection.ids !== null && records.length > 0;

  const countOptions = (records: readonly BinnedRecord[]) => ({
    count: records.length,
    formatted: formatCount(records.length, language),
  });
  const totalDuration = (records: readonly BinnedRecord[]) =>
    formatDurationInSentence(totalSeconds(records), language);

  const movedCount = (recordsToDelete ?? noRecords).filter(
    ({ binned_by: move }) => move !== null,
  ).length;

  const restore = (several: readonly BinnedRecord[]) => {
    const ids = several.map(({ id }) => id);
    const run = () => save(() => library.moveToBin(ids));
    save(
      () => library.restore(ids),
      () => {
        end();
        show({
          message: t('bin.recovered', countOptions(several)),
          action: { label: t('common.undo'), run },
        });
      },
    );
  };
  const deletePermanently = async (several: readonly BinnedRecord[]) => {
    setBusy(true);
    try {
      vibrate('delete');
      await library.deletePermanently(several.map(({ id }) => id));
      end();
      show({ message: t('bin.deleted', countOptions(several)) });
    } finally {
      setBusy(false);
      setRecordsToDelete(null);
    }
  };

  return (
    <main className="bin" ref={setScroller}>
      <title>{`${t('bin.title')} · Linnet`}</title>
      {isSelecting ? (
        <SelectionHeader selection={selection} total={records.length} />
      ) : (
        <header className="page-bar bin-bar">
          <IconButton label={t('common.back')} data-testid="back" onClick={back}>
            <ArrowLeft className="turns" size={22} />
          </IconButton>
          {records.length > 0 && (
            <span className="page-bar-end">
              <IconButton label={t('library.pick')} data-testid="bin-pick" onClick={() => begin()}>
                <ListChecks size={22} />
              </IconButton>
            </span>
          )}
        </header>
      )}
      <div className="bin-head">
        <h1 className="page-title display" ref={heading} tabIndex={-1}>
          {t('bin.title')}
        </h1>
        {records.length > 0 && (
          <>
            <p className="bin-holds">
              {t('bin.holds', { ...countOptions(records), time: totalDuration(records) })}
            </p>
            {!isSelecting && (
              <Button
                icon={<Trash2 size={18} aria-hidden="true" />}
                data-testid="bin-empty"
                onClick={() => setRecordsToDelete(records)}
              >
                {t('bin.empty')}
              </Button>
            )}
          </>
        )}
      </div>
      {live.status === 'loading' ? (
        <LoadingPlaceholder lines={4} />
      ) : records.length === 0 ? (
        <EmptyState
          title={t('bin.nothing')}
          action={
            <PageLink to={paths.files} transition="pop" className="button" data-look="plain">
              {t('bin.toFiles')}
            </PageLink>
          }
        >
          {t('bin.nothingHint')}
        </EmptyState>
      ) : (
        scroller && (
          <BinList
            records={records}
            scroller={scroller}
            picked={selection.ids}
            onPick={pick}
            onRestore={(record) => restore([record])}
            onDelete={(record) => setRecordsToDelete([record])}
          />
        )
      )}
      {isSelecting && (
        <SelectionBar>
          <SelectionAction
            icon={<Undo2 className="turns" size={22} aria-hidden="true" />}
            disabled={picked.length === 0}
            testId="bin-recover"
            onClick={() => restore(picked)}
          >
            {t('bin.recover')}
          </SelectionAction>
          <SelectionAction
            icon={<Trash2 size={22} aria-hidden="true" />}
            danger
            disabled={picked.length === 0}
            testId="bin-delete"
            onClick={() => setRecordsToDelete(picked)}
          >
            {t('bin.delete')}
          </SelectionAction>
        </SelectionBar>
      )}
      {recordsToDelete && (
        <Confirm
          title={t('bin.askTitle', countOptions(recordsToDelete))}
          confirmLabel={t('bin.delete')}
          danger
          busy={isBusy}
          onCancel={() => setRecordsToDelete(null)}
          onConfirm={() => void deletePermanently(recordsToDelete)}
        >
          {t('bin.askText', { time: totalDuration(recordsToDelete) })}
          {movedCount > 0 && (
            <>
              {' '}
              <strong data-testid="ask-moved">
                {t('bin.askMoved', { number: formatCount(movedCount, language) })}
              </strong>
            </>
          )}
        </Confirm>
      )}
    </main>
  );
}
