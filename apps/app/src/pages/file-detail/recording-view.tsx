import { Tabs } from '@base-ui/react/tabs';
import type { SoundVersion } from '@linnet/sync';
import { useEffect, useState } from 'react';
import { useServices } from '../../app-shell/services-context.ts';
import { count } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { nameOf } from '../files/record-words.ts';
import { rowState } from '../files/row-state.ts';
import { AudioTab } from './audio-tab.tsx';
import { DetailBar, DetailHead } from './detail-head.tsx';
import type { OpenRecord } from './open-record.ts';
import { PlayerBar } from './player-bar.tsx';
import { SummaryTab } from './summary-tab.tsx';
import { TranscriptionTab } from './transcription-tab.tsx';
import { usePlayer } from './use-player.ts';

type TabName = 'transcription' | 'summary' | 'audio';

/** Which version of the sound is on this phone, or null while none can be played. */
function soundOf(record: OpenRecord): string | null {
  if (record.localfile) return record.localfile;
  const { status } = record.copies.phone;
  return status === 'whole' || status === 'verified' ? status : null;
}

/** A recording that is there: head, tabs, and one player below them all. */
export function RecordingView({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const [tab, setTab] = useState<TabName>('transcription');
  const [wanted, setWanted] = useState<SoundVersion>('cleaner');
  // A cleaner version is made to be heard; while there is none, the original is.
  const heard = record.local_noise_file ? wanted : 'original';
  const player = usePlayer(record.id, soundOf(record), heard, record.record_time);
  const state = rowState(record);
  const paragraphs = record.content.length;

  const unread = record.is_new === 0;
  useEffect(() => {
    if (unread) void library.markRead(record.id);
  }, [library, record.id, unread]);

  const tabs: { name: TabName; count: number }[] = [
    { name: 'transcription', count: paragraphs },
    { name: 'summary', count: 0 },
    { name: 'audio', count: 0 },
  ];
  return (
    <main className="detail" data-state={state.kind}>
      <Tabs.Root
        className="detail-scroll"
        value={tab}
        onValueChange={(value: TabName) => setTab(value)}
      >
        <DetailBar name={nameOf(record, t, language)} />
        <DetailHead record={record} />
        <Tabs.List className="detail-tabs" aria-label={t('detail.tabs')} activateOnFocus>
          {tabs.map(({ name, count: items }) => (
            <Tabs.Tab key={name} value={name} className="detail-tab" data-testid={`tab-${name}`}>
              {t(`detail.${name}`)}
              {items > 0 && <span className="detail-count tabular">{count(items, language)}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="transcription" className="detail-panel">
          <TranscriptionTab record={record} state={state} player={player} />
        </Tabs.Panel>
        <Tabs.Panel value="summary" className="detail-panel">
          <SummaryTab record={record} state={state} player={player} />
        </Tabs.Panel>
        <Tabs.Panel value="audio" className="detail-panel">
          <AudioTab record={record} heard={heard} onHear={setWanted} />
        </Tabs.Panel>
      </Tabs.Root>
      <PlayerBar peaks={record.peaks} player={player} />
    </main>
  );
}
