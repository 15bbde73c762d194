import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useTranslation } from '../i18n/index.ts';
import { useIsWide } from '../page-kit/media.ts';
import { paths } from '../page-kit/paths.ts';
import { RecordingProvider } from '../page-kit/recording.tsx';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { BirdMark } from '../ui/bird.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { AutomaticMergeToast } from './automatic-merge.tsx';
import { DropTarget } from './drop-target.tsx';
import { ImportQuestion } from './import-question.tsx';
import { Files } from './lazy-pages.tsx';
import { NotificationTaps } from './notification-taps.tsx';
import { RecorderSpaceNotice } from './recorder-space-notice.tsx';
import { RecordingPanel } from './recording-panel.tsx';
import { ShellNotices } from './shell-notices.tsx';
import { TabBar } from './tab-bar.tsx';

/** Screens that are tabs. All other screens are pushed on top of one of these. */
const tabPaths: readonly string[] = [paths.files, paths.me];

/** Frames every signed-in screen, with a tab bar on phones and a navigation rail on wide screens. */
export function Shell() {
  const isWide = useIsWide();
  const { pathname } = useLocation();
  const hasTabBar = isWide || tabPaths.includes(pathname);
  return (
    <RecordingProvider>
      <div className="shell" data-bar={hasTabBar || undefined}>
        <div className="shell-screen">
          <ShellNotices />
          <AutomaticMergeToast />
          <DropTarget />
          <ImportQuestion />
          <NotificationTaps />
          <RecorderSpaceNotice />
          <div className="shell-outlet">
            <Suspense fallback={null}>
              <Outlet />
            </Suspense>
          </div>
        </div>
        {hasTabBar && (
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

/** Lays out the Files page and the recording page: one at a time on phones, side by side on wide screens. */
export function Library() {
  const { t } = useTranslation();
  const isWide = useIsWide();
  const isRecordingOpen = useLocation().pathname === paths.fileDetail;
  const records = useStore(useServices().library.records);
  // An empty library would leave the second pane blank, so show only one pane.
  const isEmpty = !isRecordingOpen && records.status === 'ready' && records.value.length === 0;
  const hasTwoPanes = isWide && !isEmpty;
  // Keep each pane's position in the element tree, so React preserves its state when a phone is rotated.
  return (
    <div className="library" data-both={hasTwoPanes || undefined}>
      {(hasTwoPanes || !isRecordingOpen) && (
        <div className="library-list">
          <Files />
        </div>
      )}
      {(hasTwoPanes || isRecordingOpen) && (
        <div className="library-recording">
          <Suspense fallback={null}>
            {isRecordingOpen ? (
              <Outlet />
            ) : (
              <section className="library-nothing" aria-label={t('files.choose')}>
                <EmptyState title={t('files.choose')}>{t('files.chooseHint')}</EmptyState>
              </section>
            )}
          </Suspense>
        </div>
      )}
    </div>
  );
}
