import { Tabs } from '@base-ui/react/tabs';
import type { Marker } from '@linnet/contract';
import { type AudioVersion, markerId } from '@linnet/sync';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { formatClock } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { paths, type RecordingPlace, recordingPath } from '../../page-kit/paths.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { summaryDocument } from '../../summary-points.ts';
import { LoadingPlaceholder } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { getName } from '../files/record-text.ts';
import { rowState } from '../files/row-state.ts';
import { DetailBar, DetailHeader } from './detail-header.tsx';
import type { OpenRecord } from './open-record.ts';
import { PlayerBar } from './player/player-bar.tsx';
import { useMediaSession } from './player/use-media-session.ts';
import { inCloud, type Player, usePlayer } from './player/use-player.ts';
import { useSkipSilence } from './player/use-skip-silence.ts';
import { wavePoints } from './player/wave-points.ts';
import { RecordingTabs } from './recording-tabs.tsx';
import { ShortcutsSheet } from './shortcuts/shortcuts-sheet.tsx';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import type { TabProps } from './tab.ts';
import { firstTab, isTabName, type TabName, tabs } from './tabs.ts';
import { useReading } from './use-reading.ts';

/** Identifies the audio to play: the phone's copy, or else the cloud's. Returns null if there is neither. */
function audioSource({ localfile, copies }: OpenRecord): string | null {
  if (localfile) return localfile;
  const { status } = copies.phone;
  if (status !== 'absent' && status !== 'partial') return status;
  return copies.cloud.status === 'absent' ? null : inCloud;
}

/** Returns a function that adds a marker at the current position. */
function useAddMarker(id: string, player: Player) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const showToast = useToast();
  return () => {
    if (player.status !== 'ready') return;
    const marker = markerId();
    const time = Math.round(player.position.get() * 1000) / 1000;
    const markerEdit = { type: 'recording.marker', recording: id, marker } as const;
    const edit = (value: Marker | null) => () => library.edit({ ...markerEdit, value });
    save(edit({ id: marker, time, label: '' }), () =>
      showToast({
        message: t('markers.added', { time: formatClock(time, language) }),
        action: { label: t('common.undo'), run: () => save(edit(null)) },
      }),
    );
  };
}

/** Returns the tab in the URL, and functions that navigate to a tab or a paragraph. */
function useTabUrl(getPath: (place: RecordingPlace) => string) {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const name = parameters.get('tab');
  const options = { replace: true, preventScrollReset: true };
  return {
    tab: isTabName(name) ? name : firstTab,
    show: (tab: TabName) => void navigate(getPath({ tab }), options),
    jump: (paragraph: string) => void navigate(getPath({ paragraph }), options),
  };
}

/** Shows a recording's heading and tabs, with a shared player at the bottom. */
export function RecordingView({
  record,
  getPath = (place) => recordingPath(record.id, place),
  parent = paths.files,
  visibleTabs = tabs,
  readOnly = false,
  actions = <ExportButton id={record.id} />,
  note,
}: {
  record: OpenRecord;
  /** Returns the recording's path with a tab or a paragraph. */
  getPath?(place: RecordingPlace): string;
  /** The back button's target when there is no history. */
  parent?: string;
  /** The available tabs. */
  visibleTabs?: typeof tabs;
  /** Whether the transcript and the summary are read-only. */
  readOnly?: boolean;
  /** Actions for the recording. */
  actions?: ReactNode;
  /** A note above everything else. */
  note?: ReactNode;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const { tab, show, jump } = useTabUrl(getPath);
  const [preferredVersion, setPreferredVersion] = useState<AudioVersion>('cleaner');
  // Once a denoised version exists, it is the default.
  const audioVersion = record.local_noise_file ? preferredVersion : 'original';
  const player = usePlayer(record.id, audioSource(record), audioVersion, record.record_time);
  const document = useMemo(() => summaryDocument(record.summary_json), [record.summary_json]);
  const state = rowState(record);
  const points = useMemo(() => wavePoints(record, document), [record, document]);
  const addMarker = useAddMarker(record.id, player);
  const [isSearching, setIsSearching] = useState(false);
  const { isReading, onScroll } = useReading();
  const [isShortcutListOpen, setIsShortcutListOpen] = useState(false);
  const openSearch = (isOn: boolean) => {
    if (isOn && record.content.length === 0) return;
    if (isOn && tab !== firstTab) show(firstTab);
    setIsSearching(isOn);
  };
  useSkipSilence(player, record.content);
  useMediaSession(player, getName(record, t, language));
  useShortcuts(player, {
    addMarker,
    search: () => openSearch(true),
    showHelp: () => setIsShortcutListOpen(true),
  });

  const isUnread = record.is_new === 0;
  useEffect(() => {
    if (isUnread) void library.markRead(record.id);
  }, [library, record.id, isUnread]);

  const countedTabs = visibleTabs.map((tabInfo) => ({
    ...tabInfo,
    items: tabInfo.count(record, document),
  }));
  const panel: TabProps = {
    record,
    state,
    document,
    player,
    audioVersion,
    onSelectVersion: setPreferredVersion,
    jump,
    readOnly,
    getPath,
    isSearching,
    onFind: openSearch,
    onMark: addMarker,
  };
  return (
    <main className="detail" data-state={state.kind} data-reading={isReading || undefined}>
      <Tabs.Root
        className="detail-scroll"
        onScroll={onScroll}
        value={tab}
        onValueChange={(value: TabName) => show(value)}
      >
        <DetailBar name={getName(record, t, language)} parent={parent}>
          {actions}
        </DetailBar>
        {note}
        <DetailHeader record={record} />
        <RecordingTabs tabs={countedTabs} selected={tab} onSelect={show} />
        {visibleTabs.map(({ name, Panel }) => (
          <Tabs.Panel key={name} value={name} className="detail-panel">
            <Suspense fallback={<LoadingPlaceholder />}>
              <Panel {...panel} />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <PlayerBar peaks={record.peaks} points={points} player={player} onMark={addMarker} />
      {isShortcutListOpen && <ShortcutsSheet onClose={() => setIsShortcutListOpen(false)} />}
    </main>
  );
}
