import type { SummaryDocument } from '@linnet/contract';
import { type Bcp47, toBcp47 } from '@linnet/contract/languages';
import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import { useState } from 'react';
import { describeFailure } from '../../../i18n/failures.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { MembershipLink } from '../../../page-kit/membership-link.tsx';
import { useMember, useServerInfo, useServices } from '../../../page-kit/services-context.ts';
import { summarySections } from '../../../summary-points.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../../ui/notice.tsx';
import type { TabProps } from '../tab.ts';
import { TranscriptArriving } from '../transcript/transcript-arriving.tsx';
import { RegenerateSummary } from './regenerate-summary.tsx';
import { SummarySections } from './summary-sections.tsx';
import { SummaryStructures } from './summary-structures.tsx';
import { TemplateForm } from './template-form.tsx';
import { useSummaryRequest } from './use-summary-request.ts';
import '../../../ui/pick.css';
import './summary.css';

/** Returns a summary's language, or null if it is the spoken language. */
function translatedLanguage(
  document: SummaryDocument | null,
  spoken: string | undefined,
): Bcp47 | null {
  if (!document || document.language === spoken) return null;
  return toBcp47(document.language) ?? null;
}

/** Shows the summary: gist, points with sources, keywords. */
export function SummaryTab({ record, state, document, player, jump, readOnly }: TabProps) {
  const { t } = useTranslation();
  const isMember = useMember();
  const serverInfo = useServerInfo();
  const [chosenStructure, setChosenStructure] = useState<StructureId | null>(null);
  const [isEditingTemplate, setEditingTemplate] = useState(false);
  const { drafts } = useServices();
  const closeTemplate = () => {
    drafts.write('template', null);
    setEditingTemplate(false);
  };
  const { request, requestSummary, template, saveTemplate, language, setLanguage } =
    useSummaryRequest(record.id, translatedLanguage(document, record.task?.language));

  const brief = record.brief && (
    <p className="summary-brief" dir="auto">
      {record.brief}
    </p>
  );
  if (record.transcript === 'arriving') {
    return (
      <>
        {brief}
        <TranscriptArriving />
      </>
    );
  }
  if (record.content.length === 0 && state.kind !== 'done') {
    return <EmptyState title={t('detail.noSummary')}>{t('detail.noSummaryHint')}</EmptyState>;
  }
  const selectedStructure = chosenStructure ?? document?.structure ?? defaultStructure;
  const hasSummary = document?.structures[selectedStructure] !== undefined;
  const isAllowed = isMember || selectedStructure === defaultStructure;
  // Existing summaries stay readable; only generating one requires membership.
  const isLocked = !isAllowed && !hasSummary;
  const sections = summarySections(record, document, selectedStructure);
  const isWaiting = request.kind === 'waiting';
  const visibleRequest =
    request.kind !== 'idle' && request.structure === selectedStructure ? request : null;
  const isPending = visibleRequest?.kind === 'waiting' || visibleRequest?.kind === 'done';

  function startRequest(structure: StructureId): void {
    // A custom structure has to be defined first.
    if (structure === 'custom' && !template) setEditingTemplate(true);
    else void requestSummary(structure);
  }
  const body = () => {
    if (isLocked) {
      const what = t('server.membersOnly');
      return <Notice tone="plain" message={what} action={<MembershipLink />} />;
    }
    if (sections.length > 0) {
      const isCustom = selectedStructure === 'custom';
      return <SummarySections sections={sections} custom={isCustom} player={player} jump={jump} />;
    }
    if (isPending && !hasSummary) return <LoadingPlaceholder lines={4} />;
    if (isEditingTemplate || visibleRequest?.kind === 'failed') return null;
    const emptyKey = record.brief ? 'summary.nothingHere' : 'detail.nothingToSummarise';
    return <p className="summary-nothing">{t(hasSummary ? emptyKey : 'summary.notMade')}</p>;
  };
  return (
    <article className="summary" data-testid="summary">
      {document && <p className="detail-label">{t(`detail.${document.kind}`)}</p>}
      {brief}
      {serverInfo && serverInfo.analysis.structures.length > 1 && (
        <SummaryStructures
          structures={serverInfo.analysis.structures}
          selected={selectedStructure}
          locked={!isMember}
          onChoose={setChosenStructure}
        />
      )}
      {visibleRequest?.kind === 'failed' && (
        <Notice
          {...describeFailure(t, visibleRequest.failure)}
          action={
            <Button onClick={() => startRequest(selectedStructure)}>{t('common.retry')}</Button>
          }
        />
      )}
      {isEditingTemplate && selectedStructure === 'custom' && isAllowed && (
        <TemplateForm
          template={template}
          onSave={async (newTemplate) => {
            if (await saveTemplate(newTemplate)) closeTemplate();
          }}
          onCancel={closeTemplate}
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
          isBusy={isWaiting}
          isFirst={!hasSummary}
          language={language}
          onLanguage={setLanguage}
          onMake={() => startRequest(selectedStructure)}
        >
          {selectedStructure === 'custom' && template && (
            <Button onClick={() => setEditingTemplate(true)}>{t('template.edit')}</Button>
          )}
        </RegenerateSummary>
      )}
    </article>
  );
}
