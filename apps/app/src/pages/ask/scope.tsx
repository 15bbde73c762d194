import { useMemo } from 'react';
import { formatList, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';

/** Names the recordings that the conversation is about, and offers to ask about all recordings instead. */
export function Scope({
  serverIds,
  isLive,
}: {
  serverIds: readonly string[];
  /** Whether the conversation is about a recording in progress. */
  isLive: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { questions } = useServices();
  const named = useStore(useMemo(() => questions.recordings(serverIds), [questions, serverIds]));
  if (named.status === 'loading') return null;
  const names = serverIds.flatMap((id) => {
    const record = named.value.get(id);
    return record ? [isolate(recordingName(record, t, language))] : [];
  });
  const about =
    names.length > 0 ? t('ask.about', { names: formatList(names, language) }) : t('ask.notHere');
  const scope = isLive ? t('ask.aboutLive') : about;
  return (
    <p className="ask-scope" data-testid="ask-scope">
      <span>{scope}</span>
      <PageLink to={paths.ask} transition="switch" className="button" data-look="quiet">
        {t('ask.askAll')}
      </PageLink>
    </p>
  );
}
