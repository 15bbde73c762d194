import { Tabs } from '@base-ui/react/tabs';
import type { Marker } from '@linnet/contract';
import { type AudioVersion, markerId } from '@linnet/sync';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { clock, count as formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { paths, type RecordingPlace, recordingPath } from '../../page-kit/paths.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { summaryDocument } from '../../summary-points.ts';
import { Waiting } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { nameOf } from '../files/record-words.ts';
import { rowState } from '../files/row-state.ts';
import { DetailBar, DetailHead } from './detail-head.tsx';
import type { OpenRecord } from './open-record.ts';
import { PlayerBar } from './player/player-bar.tsx';
import { useMediaSession } from './player/use-media-session.ts';
import { inCloud, type Player, usePlayer } from './player/use-player.ts';
import { useSkipSilence } from './player/use-skip-silence.ts';
import { wavePoints } from './player/wave-points.ts';
import { ShortcutsSheet } from './shortcuts/shortcuts-sheet.tsx';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import type { TabProps } from './tab.ts';
import { firstTab, isTabName, type TabName, tabs } from './tabs.ts';

/** The playable version of the audio: one on this phone, else the cloud's, else null. */
function soundOf({ localfile, copies }: OpenRecord): string | null {
  if (localfile) return localfile;
  const { status } = copies.phone;
  if (status !== 'absent' && status !== 'partial') return status;
  return copies.cloud.status === 'absent' ? null : inCloud;
}

/** Sets a marker at the current position. */
function useMark(id: string, player: Player) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  return () => {
    if (player.status !== 'ready') return;
    const marker = markerId();
    const time = Math.round(player.position.get() * 1000) / 1000;
    const set = { type: 'recording.marker', recording: id, marker } as const;
    const put = (value: Marker | null) => () => library.edit({ ...set, value });
    save(put({ id: marker, time, label: '' }), () =>
      show({
        words: t('markers.added', { time: clock(time, language) }),
        action: { label: t('common.undo'), run: () => save(put(null)) },
      }),
    );
  };
}

/** The tab and paragraph named in the address, and a function that goes to another. */
function usePlace(pathOf: (place: RecordingPlace) => string) {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const wanted = parameters.get('tab');
  const replace = { replace: true, preventScrollReset: true };
  return {
    tab: isTabName(wanted) ? wanted : firstTab,
    show: (tab: TabName) => void navigate(pathOf({ tab }), replace),
    jump: (paragraph: string) => void navigate(pathOf({ paragraph }), replace),
  };
}

/** Scrolls the selected tab into view, also after a resize. */
function useTabInView(tab: TabName) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each newly selected tab.
  useEffect(() => {
    const tabs = list.current;
    if (!tabs) return;
    const resizes = new ResizeObserver(() => {
      const chosen = tabs.querySelector('[aria-selected="true"]');
      chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    resizes.observe(tabs);
    return () => resizes.disconnect();
  }, [tab]);
  return list;
}

/** A recording with its heading and tabs, and one player below them all. */
export function RecordingView({
  record,
  pathOf = (place) => recordingPath(record.id, place),
  parent = paths.files,
  parts = tabs,
  fixed = false,
  actions = <ExportButton id={record.id} />,
  note,
}: {
  record: OpenRecord;
  /** The recording's address at a given place. */
  pathOf?(place: RecordingPlace): string;
  /** Target of the back button when there is no history. */
  parent?: string;
  /** The available tabs. */
  parts?: typeof tabs;
  /** Whether transcript and summary are read-only. */
  fixed?: boolean;
  /** Actions on the recording. */
  actions?: ReactNode;
  /** A note above everything else. */
  note?: ReactNode;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const { tab, show, jump } = usePlace(pathOf);
  const [wanted, setWanted] = useState<AudioVersion>('cleaner');
  // The denoised version is preferred as soon as it exists.
  const heard = record.local_noise_file ? wanted : 'original';
  const player = usePlayer(record.id, soundOf(record), heard, record.record_time);
  const document = useMemo(() => summaryDocument(record.summary_json), [record.summary_json]);
  const state = rowState(record);
  const points = useMemo(() => wavePoints(record, document), [record, document]);
  const mark = useMark(record.id, player);
  const [finding, setFinding] = useState(false);
  const [helping, setHelping] = useState(false);
  const find = (on: boolean) => {
    if (on && record.content.length === 0) return;
    if (on && tab !== firstTab) show(firstTab);
    setFinding(on);
  };
  useSkipSilence(player, record.content);
  useMediaSession(player, nameOf(record, t, language));
  useShortcuts(player, { mark, find: () => find(true), help: () => setHelping(true) });

  const unread = record.is_new === 0;
  useEffect(() => {
    if (unread) void library.markRead(record.id);
  }, [library, record.id, unread]);

  const counted = parts.map((each) => ({ ...each, items: each.count(record, document) }));
  const panel: TabProps = {
    ...{ record, state, document, player, heard, onHear: setWanted, jump, fixed, pathOf },
    ...{ finding, onFind: find, onMark: mark },
  };
  return (
    <main className="detail" data-state={state.kind}>
      <Tabs.Root
        className="detail-scroll"
        value={tab}
        onValueChange={(value: TabName) => show(value)}
      >
        <DetailBar name={nameOf(record, t, language)} parent={parent}>
          {actions}
        </DetailBar>
        {note}
        <DetailHead record={record} />
        <Tabs.List
          ref={useTabInView(tab)}
          className="detail-tabs"
          aria-label={t('detail.tabs')}
          activateOnFocus
        >
          {[
            ...counted.filter(({ items }) => items !== 0),
            ...counted.filter(({ items }) => items === 0),
          ].map(({ name, items }) => (
            <Tabs.Tab
              key={name}
              value={name}
              className="detail-tab"
              data-testid={`tab-${name}`}
              data-empty={items === 0 || undefined}
            >
              {t(`detail.${name}`)}
              {items !== null && items > 0 && (
                <span className="detail-count tabular">{formatCount(items, language)}</span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {parts.map(({ name, Panel }) => (
          <Tabs.Panel key={name} value={name} className="detail-panel">
            <Suspense fallback={<Waiting />}>
              <Panel {...panel} />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <PlayerBar peaks={record.peaks} points={points} player={player} onMark={mark} />
      {helping && <ShortcutsSheet onClose={() => setHelping(false)} />}
    </main>
  );
}
