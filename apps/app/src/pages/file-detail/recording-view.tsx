import { Tabs } from '@base-ui/react/tabs';
import type { Marker } from '@linnet/contract';
import { markerId, type SoundVersion } from '@linnet/sync';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { clock, count as formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { paths, type RecordingPlace, recordingPath } from '../../page-kit/paths.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Waiting } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { nameOf } from '../files/record-words.ts';
import { rowState } from '../files/row-state.ts';
import { DetailBar, DetailHead } from './detail-head.tsx';
import type { OpenRecord } from './open-record.ts';
import { PlayerBar } from './player-bar.tsx';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';
import { summaryDocument } from './summary-points.ts';
import type { TabProps } from './tab.ts';
import { firstTab, isTabName, type TabName, tabs } from './tabs.ts';
import { useMediaSession } from './use-media-session.ts';
import { inCloud, type Player, usePlayer } from './use-player.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useSkipSilence } from './use-skip-silence.ts';
import { wavePoints } from './wave-points.ts';

/** Which version of the sound can be played: one on this phone, else the cloud's; or null. */
function soundOf({ localfile, copies }: OpenRecord): string | null {
  if (localfile) return localfile;
  const { status } = copies.phone;
  if (status !== 'absent' && status !== 'partial') return status;
  return copies.cloud.status === 'absent' ? null : inCloud;
}

/** Sets a marker where the player is. */
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

/** The part of the page that its address names, and how to go to another one. */
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

/** Moves the tabs so that the chosen one is seen, also once there is less room for them. */
function useTabInView(tab: TabName) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another one to be seen.
  useEffect(() => {
    const tabs = list.current;
    if (!tabs) return;
    const room = new ResizeObserver(() => {
      const chosen = tabs.querySelector('[aria-selected="true"]');
      chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    room.observe(tabs);
    return () => room.disconnect();
  }, [tab]);
  return list;
}

/** A recording that is there: head, tabs, and one player below them all. */
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
  /** Its address with a place on it. */
  pathOf?(place: RecordingPlace): string;
  /** Where back leads when there is no past. */
  parent?: string;
  /** The tabs it has. */
  parts?: typeof tabs;
  /** Whether its transcript and summary stay those it came with. */
  fixed?: boolean;
  /** What can be done with it. */
  actions?: ReactNode;
  /** What is said before all else. */
  note?: ReactNode;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const { tab, show, jump } = usePlace(pathOf);
  const [wanted, setWanted] = useState<SoundVersion>('cleaner');
  // A cleaner version is made to be heard; while there is none, the original is.
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
