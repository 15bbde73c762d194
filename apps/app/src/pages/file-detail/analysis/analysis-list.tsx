import type { SummaryDocument } from '@linnet/contract';
import type { SummaryListName } from '@linnet/contract/structures';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import { useLanguageName } from '../../../i18n/language-name.ts';
import { PageLink } from '../../../page-kit/navigation.tsx';
import { recordingPath } from '../../../page-kit/paths.ts';
import { EmptyState } from '../../../ui/notice.tsx';
import type { TabProps } from '../tab.ts';
import { TranscriptArriving } from '../transcript/transcript-arriving.tsx';
import { type ListState, listState } from './list-state.ts';
import './analysis.css';

/** Shows one of the analysis's lists, or explains why it is empty. */
export function AnalysisList<Name extends SummaryListName>({
  name,
  tab: { record, state, document },
  children,
}: {
  name: Name;
  tab: TabProps;
  children(items: readonly SummaryDocument[Name][number][]): ReactNode;
}) {
  const { t } = useTranslation();
  if (record.transcript === 'arriving') return <TranscriptArriving />;
  const list = listState(name, record.content.length > 0 || state.kind === 'done', document);
  if (list.status !== 'some' || !document) {
    return <EmptyList name={name} reason={list} recording={record.id} />;
  }
  return (
    <article className="understood" data-testid={`understood-${name}`}>
      <p className="detail-label">{t(`detail.${document.kind}`)}</p>
      {children(list.items)}
    </article>
  );
}

function EmptyList({
  name,
  reason,
  recording,
}: {
  name: SummaryListName;
  reason: ListState<SummaryListName>;
  recording: string;
}) {
  const { t } = useTranslation();
  const languageName = useLanguageName();
  switch (reason.status) {
    case 'none-found':
      return (
        <EmptyState title={t(`understood.none.${name}`)}>{t('understood.noneHint')}</EmptyState>
      );
    case 'unsupported':
      return (
        <EmptyState title={t(`understood.unsought.${name}`)}>
          {reason.language
            ? t('understood.unsoughtHint', { language: languageName(reason.language) })
            : t('understood.unsoughtBefore')}
        </EmptyState>
      );
    case 'not-summarized':
      return (
        <EmptyState
          title={t('understood.notSummedUp')}
          action={
            <PageLink
              to={recordingPath(recording, { tab: 'summary' })}
              replace
              className="button"
              data-look="plain"
            >
              {t('understood.toSummary')}
            </PageLink>
          }
        >
          {t('understood.notSummedUpHint')}
        </EmptyState>
      );
    default:
      return (
        <EmptyState title={t(`understood.notYet.${name}`)}>{t('understood.notYetHint')}</EmptyState>
      );
  }
}
