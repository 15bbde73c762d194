import Pencil from 'lucide-react/icons/pencil';
import Search from 'lucide-react/icons/search';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { tap } from '../../app-shell/media.ts';
import { useGo } from '../../app-shell/navigation.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useRecording } from '../../app-shell/recording.tsx';
import { useServices, useStore } from '../../app-shell/services-context.ts';
import { count, roughDuration } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { Prompt } from '../../ui/dialog.tsx';
import { Menu, preloadMenu } from '../../ui/menu.tsx';
import { Waiting } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DropTarget } from './drop-target.tsx';
import { FilesEmpty } from './files-empty.tsx';
import { ImportButton } from './import-button.tsx';
import { ImportList } from './import-list.tsx';
import { LinkChip } from './link-chip.tsx';
import { RecordList } from './record-list.tsx';
import { matches, nameOf } from './record-words.ts';
import type { ListedRecord } from './row-state.ts';
import './files.css';

/** The server takes names up to this long (limits.recording.nameMaxLength). */
const nameMaxLength = 200;

/** All recordings, newest first. */
export default function FilesPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const live = useStore(library.records);
  const { state, setPanelOpen } = useRecording();
  const show = useToast();
  const go = useGo();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [menu, setMenu] = useState<{ record: ListedRecord; anchor: Element } | null>(null);
  const [renaming, setRenaming] = useState<ListedRecord | null>(null);
  const currentId = pathname === paths.fileDetail ? parameters.get('id') : null;

  const all = live.status === 'ready' ? live.value : [];
  const wanted = useDeferredValue(words.trim());
  const records = useMemo(
    () => (wanted ? all.filter((record) => matches(record, wanted)) : all),
    [all, wanted],
  );
  const seconds = useMemo(() => all.reduce((sum, { record_time }) => sum + record_time, 0), [all]);

  useEffect(() => {
    const idle = setTimeout(preloadMenu, 1500);
    return () => clearTimeout(idle);
  }, []);
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea');
      if (event.key !== '/' || typing) return;
      event.preventDefault();
      searchInput.current?.focus();
    };
    window.addEventListener('keydown', slash);
    return () => window.removeEventListener('keydown', slash);
  }, []);

  const onMenu = useCallback((record: ListedRecord, anchor: Element) => {
    setMenu({ record, anchor });
  }, []);
  const onRetry = useCallback((record: ListedRecord) => void library.retry(record.id), [library]);

  const onBin = useCallback(
    async (record: ListedRecord) => {
      tap('delete');
      await library.moveToBin(record.id);
      if (record.id === currentId) await go(paths.files, { way: 'pop', replace: true });
      show({
        words: t('files.binned', { title: nameOf(record, t, language) }),
        action: { label: t('common.undo'), run: () => void library.restore(record.id) },
      });
    },
    [library, currentId, go, show, t, language],
  );

  return (
    <main className="files" ref={setScroller}>
      {pathname === paths.files && <title>{`${t('files.title')} · Linnet`}</title>}
      <header className="files-head">
        <div className="files-line">
          <h1 className="display">{t('files.title')}</h1>
          <LinkChip />
          <ImportButton />
        </div>
        {all.length > 0 && (
          <>
            <p className="files-total">
              {t('files.total', {
                count: all.length,
                formatted: count(all.length, language),
                time: roughDuration(seconds, language),
              })}
            </p>
            <div className="files-search">
              <search className="files-search-frame">
                <Search size={18} aria-hidden="true" />
                <input
                  ref={searchInput}
                  type="text"
                  enterKeyHint="search"
                  dir="auto"
                  aria-label={t('files.search')}
                  placeholder={t('files.search')}
                  value={words}
                  onChange={(event) => setWords(event.currentTarget.value)}
                  onKeyDown={(event) => event.key === 'Escape' && setWords('')}
                />
                {words && (
                  <IconButton label={t('files.clearSearch')} onClick={() => setWords('')}>
                    <X size={18} />
                  </IconButton>
                )}
              </search>
              {state === 'idle' && (
                <IconButton
                  className="files-options"
                  label={t('record.options')}
                  onClick={() => setPanelOpen(true)}
                >
                  <SlidersHorizontal size={20} />
                </IconButton>
              )}
            </div>
          </>
        )}
      </header>
      <ImportList />
      <DropTarget />
      {live.status === 'loading' ? (
        <Waiting lines={6} />
      ) : all.length === 0 ? (
        <FilesEmpty />
      ) : records.length === 0 ? (
        <p className="files-no-match" role="status">
          {t('files.noMatch', { words: wanted })}
        </p>
      ) : (
        scroller && (
          <RecordList
            records={records}
            scroller={scroller}
            currentId={currentId}
            onMenu={onMenu}
            onRename={setRenaming}
            onBin={onBin}
            onRetry={onRetry}
          />
        )
      )}
      <Menu
        anchor={menu?.anchor ?? null}
        label={menu ? t('common.more', { title: nameOf(menu.record, t, language) }) : ''}
        onClose={() => setMenu(null)}
        items={[
          {
            kind: 'action',
            label: t('files.rename'),
            icon: <Pencil size={18} />,
            run: () => setRenaming(menu?.record ?? null),
          },
          {
            kind: 'action',
            label: t('files.toBin'),
            icon: <Trash2 size={18} />,
            danger: true,
            run: () => menu && void onBin(menu.record),
          },
        ]}
      />
      {renaming && (
        <Prompt
          title={t('files.rename')}
          label={t('files.renameTitle')}
          value={nameOf(renaming, t, language)}
          maxLength={nameMaxLength}
          go={t('common.save')}
          onCancel={() => setRenaming(null)}
          onGo={(title) => {
            void library.rename(renaming.id, title);
            setRenaming(null);
          }}
        />
      )}
    </main>
  );
}
