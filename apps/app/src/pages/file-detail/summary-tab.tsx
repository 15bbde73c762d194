import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import { useMemo, useState } from 'react';
import { useServerFacts, useServices, useStore } from '../../app-shell/services-context.ts';
import { callWords } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Notice, Waiting } from '../../ui/notice.tsx';
import type { RowState } from '../files/row-state.ts';
import type { OpenRecord } from './open-record.ts';
import { SummaryAgain } from './summary-again.tsx';
import { summaryDocument, summarySections } from './summary-points.ts';
import { SummarySections } from './summary-sections.tsx';
import { SummaryStructures } from './summary-structures.tsx';
import { TemplateForm } from './template-form.tsx';
import type { Player } from './use-player.ts';
import { useSummaryMaking } from './use-summary-making.ts';

/** What it comes down to: the gist, the points with where they were said, the keywords. */
export function SummaryTab({
  record,
  state,
  player,
}: {
  record: OpenRecord;
  state: RowState;
  player: Player;
}) {
  const { t } = useTranslation();
  const membership = useStore(useServices().account.membership);
  const { facts } = useServerFacts();
  const document = useMemo(() => summaryDocument(record.summary_json), [record.summary_json]);
  const [chosen, setChosen] = useState<StructureId | null>(null);
  const [writing, setWriting] = useState(false);
  const { making, make, template, keepTemplate, language, setLanguage } = useSummaryMaking(
    record.id,
  );

  if (record.content.length === 0 && state.kind !== 'done') {
    return <Empty title={t('detail.noSummary')}>{t('detail.noSummaryHint')}</Empty>;
  }
  const member = membership?.isVip === true || facts?.billing === 'off';
  const shown = chosen ?? document?.structure ?? defaultStructure;
  const closed = !member && shown !== defaultStructure;
  const sections = summarySections(record, document, shown);
  const waiting = making.kind === 'waiting';
  const ofShown = making.kind !== 'idle' && making.structure === shown ? making : null;
  const onItsWay = ofShown?.kind === 'waiting' || ofShown?.kind === 'made';

  function ask(structure: StructureId): void {
    // An own structure has to be written first.
    if (structure === 'custom' && !template) setWriting(true);
    else void make(structure);
  }
  function choose(structure: StructureId): void {
    setChosen(structure);
    const there = document?.structures[structure] !== undefined;
    if (!there && !waiting && (member || structure === defaultStructure)) ask(structure);
  }
  const body = () => {
    if (closed) return <Notice tone="plain" what={t('server.membersOnly')} />;
    if (sections.length > 0) return <SummarySections sections={sections} player={player} />;
    if (onItsWay && !document?.structures[shown]) return <Waiting lines={4} />;
    if (writing || ofShown?.kind === 'failed') return null;
    return (
      <p className="summary-nothing">
        {t(record.brief ? 'summary.nothingHere' : 'detail.nothingToSummarise')}
      </p>
    );
  };
  return (
    <article className="summary" data-testid="summary">
      {document && <p className="detail-label">{t(`detail.${document.kind}`)}</p>}
      {record.brief && (
        <p className="summary-brief" dir="auto">
          {record.brief}
        </p>
      )}
      {facts && facts.analysis.structures.length > 1 && (
        <SummaryStructures
          offered={facts.analysis.structures}
          shown={shown}
          locked={!member}
          onChoose={choose}
        />
      )}
      {ofShown?.kind === 'failed' && (
        <Notice
          {...callWords(t, ofShown.failure)}
          action={<Button onClick={() => ask(shown)}>{t('common.retry')}</Button>}
        />
      )}
      {writing && shown === 'custom' && !closed && (
        <TemplateForm
          template={template}
          onKeep={(own) => {
            setWriting(false);
            void keepTemplate(own);
          }}
          onCancel={() => setWriting(false)}
        />
      )}
      {body()}
      {record.keywords.length > 0 && (
        <section>
          <h2>{t('detail.keywords')}</h2>
          <ul className="keywords" data-testid="keywords">
            {record.keywords.map((keyword) => (
              <li key={keyword} dir="auto">
                {keyword}
              </li>
            ))}
          </ul>
        </section>
      )}
      {!closed && (
        <SummaryAgain
          busy={waiting}
          language={language}
          onLanguage={setLanguage}
          onMake={() => ask(shown)}
        >
          {shown === 'custom' && template && (
            <Button onClick={() => setWriting(true)}>{t('template.edit')}</Button>
          )}
        </SummaryAgain>
      )}
    </article>
  );
}
