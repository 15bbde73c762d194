import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useTranslation } from '../i18n/index.ts';
import { useIsWide } from '../page-kit/media.ts';
import { paths } from '../page-kit/paths.ts';
import { RecordingProvider } from '../page-kit/recording.tsx';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { BirdMark } from '../ui/bird.tsx';
import { Empty } from '../ui/notice.tsx';
import { DropTarget } from './drop-target.tsx';
import { ImportQuestion } from './import-question.tsx';
import { Files } from './lazy-pages.tsx';
import { RecordingPanel } from './recording-panel.tsx';
import { ShellNotices } from './shell-notices.tsx';
import { TabBar } from './tab-bar.tsx';

/** The tab screens; all others are pushed on top of one. */
const tabPaths: readonly string[] = [paths.files, paths.me];

/** The frame of every signed-in screen: a tab bar on phones, a rail on wide screens. */
export function Shell() {
  const wide = useIsWide();
  const { pathname } = useLocation();
  const bar = wide || tabPaths.includes(pathname);
  return (
    <RecordingProvider>
      <div className="shell" data-bar={bar || undefined}>
        <div className="shell-screen">
          <ShellNotices />
          <DropTarget />
          <ImportQuestion />
          <div className="shell-outlet">
            <Suspense fallback={null}>
              <Outlet />
            </Suspense>
          </div>
        </div>
        {bar && (
          <div className="shell-bar">
            <span className="shell-mark">
              <BirdMark size={36} />
            </span>
            <RecordingPanel />
            <TabBar />
          </div>
        )}
      </div>
    </RecordingProvider>
  );
}

/** Files: one screen at a time on phones, list and recording side by side on wide screens. */
export function Library() {
  const { t } = useTranslation();
  const wide = useIsWide();
  const open = useLocation().pathname === paths.fileDetail;
  const records = useStore(useServices().library.records);
  // An empty library is a single page.
  const nothing = !open && records.status === 'ready' && records.value.length === 0;
  const both = wide && !nothing;
  // Stable positions among the elements preserve the state of both when a phone is rotated.
  return (
    <div className="library" data-both={both || undefined}>
      {(both || !open) && (
        <div className="library-list">
          <Files />
        </div>
      )}
      {(both || open) && (
        <div className="library-recording">
          <Suspense fallback={null}>
            {open ? (
              <Outlet />
            ) : (
              <section className="library-nothing" aria-label={t('files.choose')}>
                <Empty title={t('files.choose')}>{t('files.chooseHint')}</Empty>
              </section>
            )}
          </Suspense>
        </div>
      )}
    </div>
  );
}
