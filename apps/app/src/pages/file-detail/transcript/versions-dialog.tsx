import type { LocalParagraph } from '@linnet/sync';
import { useEffect, useState } from 'react';
import { formatLongDate } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import type { TextVersion } from '../../../ports/library.ts';
import { Button } from '../../../ui/button.tsx';
import { LoadingPlaceholder } from '../../../ui/notice.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import type { OpenRecord } from '../open-record.ts';

type LoadState =
  | { readonly status: 'loading' | 'unreachable' }
  | { readonly status: 'ready'; readonly list: readonly TextVersion[] };

/** A version of a paragraph. `at` is null for versions that exist only on the phone. */
type DisplayedVersion = Omit<TextVersion, 'at'> & { readonly at: string | null };

/** Shows all versions of a paragraph, loaded from the server or, if it is unreachable, from the phone. */
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
  const [result, setResult] = useState<LoadState>({ status: 'loading' });
  const { id, content, original } = paragraph;
  useEffect(() => {
    let isClosed = false;
    void library.versions(record.id, id).then((outcome) => {
      if (isClosed) return;
      setResult(outcome.ok ? { status: 'ready', list: outcome.data } : { status: 'unreachable' });
    });
    return () => {
      isClosed = true;
    };
  }, [library, record.id, id]);

  const knownVersions: readonly DisplayedVersion[] =
    result.status === 'ready'
      ? result.list
      : original === undefined
        ? []
        : [{ content: original, state: 'original', at: null }];
  // Local text that hasn't synced yet is the latest version.
  const list: readonly DisplayedVersion[] = knownVersions.some(
    (version) => version.content === content,
  )
    ? knownVersions
    : [...knownVersions, { content, state: 'applied', at: null }];
  return (
    <Sheet title={t('transcript.versions')} onClose={onClose}>
      {result.status === 'loading' && original === undefined ? (
        <LoadingPlaceholder lines={3} />
      ) : (
        <ol className="versions" data-testid="versions">
          {list.map((version, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: versions are only ever appended.
            <li key={index} data-state={version.state}>
              <p className="versions-head">
                <strong>{t(`transcript.version.${version.state}`)}</strong>
                {version.at !== null && version.state !== 'original' && (
                  <time dateTime={version.at}>{formatLongDate(version.at, language)}</time>
                )}
              </p>
              <p dir="auto">{version.content}</p>
              {version.content === content ? (
                <p className="versions-now">{t('transcript.version.now')}</p>
              ) : (
                <Button onClick={() => onUse(version.content)}>
                  {t(
                    version.state === 'original' ? 'transcript.useOriginal' : 'transcript.useThis',
                  )}
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
