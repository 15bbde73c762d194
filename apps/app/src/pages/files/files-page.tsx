import { limits } from '@linnet/contract/limits';
import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import ListChecks from 'lucide-react/icons/list-checks';
import Pencil from 'lucide-react/icons/pencil';
import Shield from 'lucide-react/icons/shield';
import ShieldOff from 'lucide-react/icons/shield-off';
import Tag from 'lucide-react/icons/tag';
import Trash2 from 'lucide-react/icons/trash-2';
import {
  Suspense,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { vibrate } from '../../page-kit/media.ts';
import { useNavigateTo } from '../../page-kit/navigation.tsx';
import { paths, recordingPath } from '../../page-kit/paths.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { Prompt } from '../../ui/dialog.tsx';
import { lazyPage } from '../../ui/lazy-page.ts';
import { Menu, preloadMenu } from '../../ui/menu.tsx';
import { EmptyState, LoadingPlaceholder } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { RejectedEdits } from '../data-synchronization/rejected-edits.tsx';
import { ListFailedNotice } from '../device-files/list-failed-notice.tsx';
import { ArchiveEmpty } from './archive-empty.tsx';
import { FilesEmpty } from './files-empty.tsx';
import { FilesHeader, FilesTotal, SearchEntry } from './files-header.tsx';
import { FilesMenu } from './files-menu.tsx';
import { filterRecords, noCriteria, selectableRecords, tagsInUse } from './files-view.ts';
import { Filters } from './filters.tsx';
import { Guide } from './guide.tsx';
import { ImportList } from './import-list.tsx';
import { MovedNotice } from './moved-notice.tsx';
import { OtherRecordings } from './other-recordings.tsx';
import { PullToRefresh } from './pull-to-refresh.tsx';
import { RecordList } from './record-list.tsx';
import { getName } from './record-text.ts';
import type { ListedRecord } from './row-state.ts';
import { SelectionActions } from './selection-actions.tsx';
import { SelectionHeader } from './selection-bar.tsx';
import type { TagDialogProps } from './tag-dialog.tsx';
import { useArchive } from './use-archive.ts';
import { useFilesView } from './use-files-view.ts';
import { useProtect } from './use-protect.ts';
import { useRefresh } from './use-refresh.ts';
import { useRowFocus } from './use-row-focus.ts';
import { type PickMode, useSelection } from './use-selection.ts';
import './files.css';

const TagDialog = lazyPage<TagDialogProps>(async () => ({
  default: (await import('./tag-dialog.tsx')).TagDialog,
}));

const noRecords: readonly ListedRecord[] = [];

/** Lists the recordings that match the filters, newest first. */
export default function FilesPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library, merging } = useServices();
  // Deferred, because rendering thousands of records is noticeably slow.
  const latestRecords = useDeferredValue(useStore(library.records));
  const { view, changeSetting } = useFilesView();
  const { isRefreshing, refresh } = useRefresh();
  const save = useSave();
  const show = useToast();
  const navigateTo = useNavigateTo();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const attachScroller = useCallback(
    (element: HTMLElement | null) => {
      // The scroller isn't needed until the records have loaded, so it may render in a transition.
      if (library.records.get().status === 'ready') setScroller(element);
      else startTransition(() => setScroller(element));
    },
    [library],
  );
  const [menu, setMenu] = useState<{ record: ListedRecord; anchor: Element } | null>(null);
  const [recordToRename, setRecordToRename] = useState<ListedRecord | null>(null);
  const [recordsToTag, setRecordsToTag] = useState<readonly string[] | null>(null);
  const currentId = pathname === paths.fileDetail ? parameters.get('id') : null;

  const allRecords = latestRecords.status === 'ready' ? latestRecords.value : noRecords;
  const isArchive = view?.archived === true;
  const selectable = useMemo(
    () => selectableRecords({ archived: isArchive }, allRecords),
    [isArchive, allRecords],
  );
  const records = useMemo(
    () => (view ? filterRecords(view, selectable, new Date()) : noRecords),
    [view, selectable],
  );
  const tags = useMemo(() => tagsInUse(allRecords), [allRecords]);
  useRowFocus(scroller, records);
  const selection = useSelection(records);
  const { begin, pick, end } = selection;
  const isSelecting = selection.ids !== null;

  const isLoading = latestRecords.status === 'loading';
  useEffect(() => {
    if (isLoading) return;
    const timer = setTimeout(preloadMenu, 1500);
    return () => clearTimeout(timer);
  }, [isLoading]);

  const onMenu = useCallback((record: ListedRecord, anchor: Element) => {
    setMenu({ record, anchor });
  }, []);
  const onRetry = useCallback((record: ListedRecord) => void library.retry(record.id), [library]);
  const onPick = useCallback(
    ({ id }: ListedRecord, mode: PickMode) => (isSelecting ? pick(id, mode) : begin(id)),
    [isSelecting, pick, begin],
  );

  const moveToBin = useCallback(
    (toDelete: readonly ListedRecord[]) => {
      const ids = toDelete.map(({ id }) => id);
      const [first] = toDelete;
      if (!first) return;
      vibrate('delete');
      const showUndo = async () => {
        end();
        if (currentId && ids.includes(currentId)) {
          await navigateTo(paths.files, { transition: 'pop', replace: true });
        }
        show({
          message:
            toDelete.length === 1
              ? t('files.binned', { title: getName(first, t, language) })
              : t('library.binned', {
                  count: toDelete.length,
                  formatted: formatCount(toDelete.length, language),
                }),
          action: { label: t('common.undo'), run: () => save(() => library.restore(ids)) },
        });
      };
      save(
        () => library.moveToBin(ids),
        () => void showUndo(),
      );
    },
    [library, save, currentId, navigateTo, end, show, t, language],
  );
  const protect = useProtect();
  const isProtected = menu?.record.is_protected === 1;
  const archive = useArchive();
  const changeArchived = (toChange: readonly ListedRecord[]) => archive(toChange, !isArchive, end);

  const onMoveToBin = useCallback((record: ListedRecord) => moveToBin([record]), [moveToBin]);

  const onMerged = (id: string, parts: readonly ListedRecord[]) => {
    const ids = parts.map((part) => part.id);
    end();
    if (currentId && ids.includes(currentId)) {
      void navigateTo(recordingPath(id), { replace: true });
    }
    show({
      message: t('merge.done'),
      action: { label: t('common.undo'), run: () => save(() => merging.undo(id, ids)) },
    });
  };

  const taggedRecords = recordsToTag
    ? allRecords.filter(({ id }) => recordsToTag.includes(id))
    : noRecords;
  const [firstTagged] = taggedRecords;

  // Beside a recording, the list is a section rather than the main content.
  const isSidePanel = pathname === paths.fileDetail;
  const Frame = isSidePanel ? 'section' : 'main';
  return (
    <Frame
      className="files"
      ref={attachScroller}
      {...(isSidePanel && { 'aria-label': t('files.title') })}
    >
      {pathname === paths.files && <title>{`${t('files.title')} · Linnet`}</title>}
      {scroller && !isSelecting && (
        <PullToRefresh scroller={scroller} busy={isRefreshing} onRefresh={refresh} />
      )}
      {isSelecting && (
        <>
          <h1 className="visually-hidden">{t('files.title')}</h1>
          <SelectionHeader selection={selection} total={records.length} />
        </>
      )}
      {/* The heading keeps its space so that the list doesn't shift under the finger when selection starts. */}
      <div className="files-top" inert={isSelecting}>
        <FilesHeader
          isPage={!isSidePanel}
          menu={
            <FilesMenu
              onPick={records.length > 0 ? () => begin() : undefined}
              onRefresh={refresh}
            />
          }
        >
          {allRecords.length > 0 && view && (
            <>
              <FilesTotal allRecords={selectable} shownRecords={records} />
              <SearchEntry />
              <Filters view={view} records={allRecords} onChange={changeSetting} />
            </>
          )}
        </FilesHeader>
      </div>
      <ImportList />
      <RejectedEdits />
      <ListFailedNotice />
      <MovedNotice />
      {!isLoading && <OtherRecordings records={allRecords} currentId={currentId} />}
      {isLoading || !view ? (
        <LoadingPlaceholder lines={6} />
      ) : allRecords.length === 0 ? (
        <FilesEmpty />
      ) : selectable.length === 0 ? (
        <ArchiveEmpty
          isArchive={isArchive}
          onToggle={() => changeSetting({ ...noCriteria, archived: !isArchive })}
        />
      ) : records.length === 0 ? (
        <EmptyState
          title={t('library.noneTitle')}
          action={
            <Button onClick={() => changeSetting({ ...noCriteria, archived: isArchive })}>
              {t('library.showAll')}
            </Button>
          }
        >
          {t('library.noneHint')}
        </EmptyState>
      ) : (
        scroller && (
          <RecordList
            records={records}
            sortedBy={view.sort}
            scroller={scroller}
            currentId={currentId}
            picked={selection.ids}
            onMenu={onMenu}
            onRename={setRecordToRename}
            onMoveToBin={onMoveToBin}
            onRetry={onRetry}
            onPick={onPick}
          />
        )
      )}
      {isSelecting && (
        <SelectionActions
          records={selection.picked}
          isArchive={isArchive}
          onArchive={() => changeArchived(selection.picked)}
          onTag={() => setRecordsToTag(selection.picked.map(({ id }) => id))}
          onMoveToBin={() => moveToBin(selection.picked)}
          onMerged={(id) => onMerged(id, selection.picked)}
        />
      )}
      {pathname === paths.files && <Guide records={allRecords} />}
      <Menu
        anchor={menu?.anchor ?? null}
        label={menu ? t('common.more', { title: getName(menu.record, t, language) }) : ''}
        onClose={() => setMenu(null)}
        items={[
          {
            kind: 'action',
            label: t('files.rename'),
            icon: <Pencil size={18} />,
            run: () => setRecordToRename(menu?.record ?? null),
          },
          {
            kind: 'action',
            label: t('library.tags'),
            icon: <Tag size={18} />,
            run: () => menu && setRecordsToTag([menu.record.id]),
          },
          {
            kind: 'action',
            label: t('library.pickThis'),
            icon: <ListChecks size={18} />,
            run: () => menu && begin(menu.record.id),
          },
          {
            kind: 'action',
            label: t(isArchive ? 'archive.unarchive' : 'archive.archive'),
            icon: isArchive ? <ArchiveRestore size={18} /> : <Archive size={18} />,
            run: () => menu && changeArchived([menu.record]),
          },
          {
            kind: 'action',
            label: t(isProtected ? 'retention.unprotect' : 'retention.protect'),
            icon: isProtected ? <ShieldOff size={18} /> : <Shield size={18} />,
            run: () => menu && protect(menu.record, !isProtected),
          },
          {
            kind: 'action',
            label: t('files.toBin'),
            icon: <Trash2 size={18} />,
            danger: true,
            run: () => menu && onMoveToBin(menu.record),
          },
        ]}
      />
      {recordToRename && (
        <Prompt
          title={t('files.rename')}
          label={t('files.renameTitle')}
          value={getName(recordToRename, t, language)}
          maxLength={limits.recording.nameMaxLength}
          submitLabel={t('common.save')}
          onCancel={() => setRecordToRename(null)}
          onSubmit={(title) => {
            save(() => library.rename(recordToRename.id, title));
            setRecordToRename(null);
          }}
        />
      )}
      {firstTagged && (
        <Suspense fallback={null}>
          <TagDialog
            title={
              taggedRecords.length === 1
                ? getName(firstTagged, t, language)
                : t('library.picked', {
                    count: taggedRecords.length,
                    formatted: formatCount(taggedRecords.length, language),
                  })
            }
            records={taggedRecords}
            inUse={tags}
            onTag={(tag, isOn) =>
              save(() =>
                library.editAll(
                  taggedRecords.map(({ id }) => ({
                    type: 'recording.tag',
                    recording: id,
                    tag,
                    on: isOn,
                  })),
                ),
              )
            }
            onClose={() => setRecordsToTag(null)}
          />
        </Suspense>
      )}
    </Frame>
  );
}
