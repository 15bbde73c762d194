import type { SummaryDocument } from '@linnet/contract';
import { type Bcp47, toBcp47 } from '@linnet/contract/languages';
import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import { useState } from 'react';
import { describeFailure } from '../../../i18n/failures.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { MembershipLink } from '../../../page-kit/membership-link.tsx';
import { useMember, useServerFacts } from '../../../page-kit/services-context.ts';
import { summarySections } from '../../../summary-points.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../../ui/notice.tsx';
import type { TabProps } from '../tab.ts';
import { RegenerateSummary } from './regenerate-summary.tsx';
import { SummarySections } from './summary-sections.tsx';
import { SummaryStructures } from './summary-structures.tsx';
import { TemplateForm } from './template-form.tsx';
import { useSummaryMaking } from './use-summary-making.ts';
import '../../../ui/pick.css';
import './summary.css';

/** The language of a summary; null if it is the spoken language. */
function languageOf(document: SummaryDocument | null, spoken: string | undefined): Bcp47 | null {
  if (!document || document.language === spoken) return null;
  return toBcp47(document.language) ?? null;
}

/** The summary: gist, points with sources, keywords. */
export function SummaryTab({ record, state, document, player, jump, readOnly }: TabProps) {
  const { t } = useTranslation();
  const member = useMember();
  const { facts } = useServerFacts();
  const [chosen, setChosen] = useState<StructureId | null>(null);
  const [writing, setWriting] = useState(false);
  const { making, make, template, saveTemplate, language, setLanguage } = useSummaryMaking(
    record.id,
    languageOf(document, record.task?.language),
  );

  if (record.content.length === 0 && state.kind !== 'done') {
    return <EmptyState title={t('detail.noSummary')}>{t('detail.noSummaryHint')}</EmptyState>;
  }
  const shown = chosen ?? document?.structure ?? defaultStructure;
  const exists = document?.structures[shown] !== undefined;
  const isAllowed = member || shown === defaultStructure;
  // Existing summaries stay readable. Only generating one requires membership.
  const isLocked = !isAllowed && !exists;
  const sections = summarySections(record, document, shown);
  const isWaiting = making.kind === 'waiting';
  const shownMaking = making.kind !== 'idle' && making.structure === shown ? making : null;
  const isPending = shownMaking?.kind === 'waiting' || shownMaking?.kind === 'made';

  function request(structure: StructureId): void {
    // A custom structure must be defined first.
    if (structure === 'custom' && !template) setWriting(true);
    else void make(structure);
  }
  const body = () => {
    if (isLocked) {
      const what = t('server.membersOnly');
      return <Notice tone="plain" message={what} action={<MembershipLink />} />;
    }
    if (sections.length > 0) {
      const own = shown === 'custom';
      return <SummarySections sections={sections} custom={own} player={player} jump={jump} />;
    }
    if (isPending && !exists) return <LoadingPlaceholder lines={4} />;
    if (writing || shownMaking?.kind === 'failed') return null;
    const emptyKey = record.brief ? 'summary.nothingHere' : 'detail.nothingToSummarise';
    return <p className="summary-nothing">{t(exists ? emptyKey : 'summary.notMade')}</p>;
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
          onChoose={setChosen}
        />
      )}
      {shownMaking?.kind === 'failed' && (
        <Notice
          {...describeFailure(t, shownMaking.failure)}
          action={<Button onClick={() => request(shown)}>{t('common.retry')}</Button>}
        />
      )}
      {writing && shown === 'custom' && isAllowed && (
        <TemplateForm
          template={template}
          onSave={async (own) => {
            if (await saveTemplate(own)) setWriting(false);
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
      {isAllowed && !readOnly && (
        <RegenerateSummary
          busy={isWaiting}
          first={!exists}
          language={language}
          onLanguage={setLanguage}
          onMake={() => request(shown)}
        >
          {shown === 'custom' && template && (
            <Button onClick={() => setWriting(true)}>{t('template.edit')}</Button>
          )}
        </RegenerateSummary>
      )}
    </article>
  );
}
