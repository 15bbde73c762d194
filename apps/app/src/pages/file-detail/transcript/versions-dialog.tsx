import type { LocalParagraph } from '@linnet/sync';
import { useEffect, useState } from 'react';
import { longDate } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import type { TextVersion } from '../../../ports/library.ts';
import { Button } from '../../../ui/button.tsx';
import { LoadingPlaceholder } from '../../../ui/notice.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import type { OpenRecord } from '../open-record.ts';

type Answer =
  | { readonly status: 'asking' | 'unreachable' }
  | { readonly status: 'here'; readonly list: readonly TextVersion[] };

/** A version of a paragraph. `at` is null for versions that exist only on the phone. */
type Shown = Omit<TextVersion, 'at'> & { readonly at: string | null };

/** All versions of a paragraph, from the server or, if it is unreachable, from the phone. */
export function VersionsDialog({
  record,
  paragraph,
  onUse,
  onClose,
}: {
  record: OpenRecord;
  paragraph: LocalParagraph;
  onUse(text: string): void;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const [result, setAnswer] = useState<Answer>({ status: 'asking' });
  const { id, content, original } = paragraph;
  useEffect(() => {
    let gone = false;
    void library.versions(record.id, id).then((outcome) => {
      if (gone) return;
      setAnswer(outcome.ok ? { status: 'here', list: outcome.data } : { status: 'unreachable' });
    });
    return () => {
      gone = true;
    };
  }, [library, record.id, id]);

  const known: readonly Shown[] =
    result.status === 'here'
      ? result.list
      : original === undefined
        ? []
        : [{ content: original, state: 'original', at: null }];
  // A local text that is not yet synced is the latest version.
  const list: readonly Shown[] = known.some((one) => one.content === content)
    ? known
    : [...known, { content, state: 'applied', at: null }];
  return (
    <Sheet title={t('transcript.versions')} onClose={onClose}>
      {result.status === 'asking' && original === undefined ? (
        <LoadingPlaceholder lines={3} />
      ) : (
        <ol className="versions" data-testid="versions">
          {list.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: versions are only ever appended.
            <li key={index} data-state={one.state}>
              <p className="versions-head">
                <strong>{t(`transcript.version.${one.state}`)}</strong>
                {one.at !== null && one.state !== 'original' && (
                  <time dateTime={one.at}>{longDate(one.at, language)}</time>
                )}
              </p>
              <p dir="auto">{one.content}</p>
              {one.content === content ? (
                <p className="versions-now">{t('transcript.version.now')}</p>
              ) : (
                <Button onClick={() => onUse(one.content)}>
                  {t(one.state === 'original' ? 'transcript.useOriginal' : 'transcript.useThis')}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      {result.status === 'unreachable' && (
        <p className="versions-note" role="status">
          {t(original === undefined ? 'transcript.noVersions' : 'transcript.onlyOriginal')}
        </p>
      )}
    </Sheet>
  );
}
