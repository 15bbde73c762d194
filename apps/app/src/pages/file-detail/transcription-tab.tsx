import { useEffect, useRef, useState } from 'react';
import { useServerFacts } from '../../app-shell/services-context.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useLanguageName } from '../../i18n/language-name.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import type { RowState } from '../files/row-state.ts';
import { CallOff, OnItsWay } from './on-its-way.tsx';
import type { OpenRecord } from './open-record.ts';
import { TranscribeForm } from './transcribe-form.tsx';
import { Transcript } from './transcript.tsx';
import type { Player } from './use-player.ts';

/** Which engine and language this is of, and the way to another transcript. */
function MadeBy({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const { facts } = useServerFacts();
  const [asking, setAsking] = useState(false);
  const spoken = record.task?.language;
  const known = facts?.languages.find((one) => one.language === spoken);
  const onlyEnglish = facts?.languages.every((one) => one.language === 'en') ?? false;
  const languageName = useLanguageName();
  // The button that was pressed is gone: the keyboard goes on at what took its place.
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (asking) title.current?.focus({ preventScroll: true });
  }, [asking]);
  if (asking) {
    return (
      <section className="card again" aria-label={t('again.title')}>
        <h2 ref={title} tabIndex={-1}>
          {t('again.title')}
        </h2>
        <p>{t('again.means')}</p>
        <TranscribeForm
          record={record}
          {...(spoken && { first: spoken })}
          cancel={<Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>}
          onGo={() => setAsking(false)}
        />
      </section>
    );
  }
  if (record.wantedLanguage !== null) {
    return (
      <section className="card again" aria-label={t('again.title')}>
        <p role="status">{t('again.asked')}</p>
        <div className="transcribe-actions">
          <CallOff record={record} />
        </div>
      </section>
    );
  }
  return (
    <div className="made-by">
      <p className="detail-label">
        {known?.quality === 'draft'
          ? t(spoken === 'en' && onlyEnglish ? 'detail.draft' : 'detail.draftOther')
          : spoken && languageName(spoken)}
      </p>
      {facts && facts.languages.length > 0 && (
        <Button look="quiet" data-testid="transcribe-again" onClick={() => setAsking(true)}>
          {t('again.ask')}
        </Button>
      )}
    </div>
  );
}

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
  if (record.content.length === 0) {
    if (state.kind !== 'done') return <OnItsWay record={record} state={state} />;
    return <Empty title={t('detail.noWords')}>{t('detail.noWordsHint')}</Empty>;
  }
  return (
    <>
      {state.kind === 'done' ? (
        <MadeBy record={record} />
      ) : (
        // Another transcript is on its way; this one stays until it is there.
        <OnItsWay record={record} state={state} />
      )}
      <Transcript paragraphs={record.content} player={player} />
    </>
  );
}
