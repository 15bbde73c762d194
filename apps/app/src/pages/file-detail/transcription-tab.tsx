import { useServerFacts } from '../../app-shell/services-context.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Empty } from '../../ui/notice.tsx';
import type { RowState } from '../files/row-state.ts';
import { OnItsWay } from './on-its-way.tsx';
import type { OpenRecord } from './open-record.ts';
import { Transcript } from './transcript.tsx';
import type { Player } from './use-player.ts';

/** What was said, or how far it is from being known. */
export function TranscriptionTab({
  record,
  state,
  player,
}: {
  record: OpenRecord;
  state: RowState;
  player: Player;
}) {
  const { t } = useTranslation();
  const { facts } = useServerFacts();
  if (state.kind !== 'done') return <OnItsWay record={record} state={state} />;
  if (record.content.length === 0) {
    return <Empty title={t('detail.noWords')}>{t('detail.noWordsHint')}</Empty>;
  }
  const language = record.task?.language;
  const spoken = facts?.languages.find((known) => known.language === language);
  const onlyEnglish = facts?.languages.every((known) => known.language === 'en') ?? false;
  return (
    <>
      {spoken?.quality === 'draft' && (
        <p className="detail-label">
          {t(language === 'en' && onlyEnglish ? 'detail.draft' : 'detail.draftOther')}
        </p>
      )}
      <Transcript paragraphs={record.content} player={player} />
    </>
  );
}
