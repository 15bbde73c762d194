import { autoLanguage } from '@linnet/contract/languages';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount, formatList, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useLanguageName } from '../../i18n/language-name.ts';
import { Section } from '../../page-kit/page.tsx';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { ModelDownload, ServerInfo } from '../../ports/server.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Lists the languages that this server recognizes, with their quality, and the models being downloaded. */
export function SpeechRecognition({ serverInfo }: { serverInfo: ServerInfo }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  const namedLanguages = serverInfo.languages.filter((known) => known.language !== autoLanguage);
  const engines = Map.groupBy(namedLanguages, (entry) => `${entry.engine} ${entry.quality}`);
  const pendingDownloads = (serverInfo.downloads ?? []).filter(
    ({ state }) => state !== 'installed',
  );
  return (
    <Section title={t('me.transcribes')}>
      {engines.size === 0 && <p className="line">{t('me.noEngine')}</p>}
      {[...engines].map(([key, known]) => (
        <p className="line" key={key}>
          {t(known[0]?.quality === 'draft' ? 'me.draftEngine' : 'me.goodEngine', {
            engine: engineName(known[0]?.engine ?? '', t),
            languages: formatList(
              known.map((item) => languageName(item.language)),
              language,
            ),
          })}
        </p>
      ))}
      {serverInfo.languages.some(({ quality }) => quality === 'good') && (
        // The number of drafts depends on the languages.
        <DraftsLine key={JSON.stringify(serverInfo.languages)} />
      )}
      {pendingDownloads.map((download) => (
        <ModelLine key={download.name} download={download} />
      ))}
    </Section>
  );
}

/** Offers to transcribe PocketSphinx drafts again with the better engine. Renders nothing if there are no drafts. */
function DraftsLine() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { retranscription } = useServices();
  const { data, reload } = useServerData(retranscription.countDrafts);
  const show = useToast();
  const [isBusy, setBusy] = useState(false);
  if (data.status !== 'ready' || data.value === 0) return null;

  async function replace(): Promise<void> {
    setBusy(true);
    const outcome = await retranscription.replaceDrafts();
    setBusy(false);
    if (outcome.ok) {
      show({ message: t(outcome.data.queued > 0 ? 'me.draftsQueued' : 'me.noDraftsQueued') });
    } else {
      const { message, sticky } = describeFailure(t, outcome.failure);
      show({ message, kind: 'error', sticky });
    }
    await reload();
  }

  const count = { count: data.value, formatted: formatCount(data.value, language) };
  return (
    <div className="line drafts-line">
      <Button wide busy={isBusy} onClick={() => void replace()} data-testid="replace-drafts">
        {t('me.replaceDrafts', count)}
      </Button>
      <span>{t('me.replaceDraftsHint')}</span>
    </div>
  );
}

/** A model that isn't installed yet: its size, license and progress, or why its download failed and what to do. */
function ModelLine({ download }: { download: ModelDownload }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { name, licence, bytes, done_bytes: done, state, failure } = download;
  const size = formatSize(bytes, language);
  const remaining = formatSize(bytes - done, language);
  return (
    <div className="line" data-testid="model-download">
      <span className="line-words">
        <bdi>{name}</bdi>
        <span role={failure === null ? undefined : 'alert'}>
          {failure === null
            ? t(`me.model.${state}`, { size, left: remaining, licence })
            : t(`me.modelFailure.${failure}`)}
        </span>
      </span>
      {state === 'downloading' && (
        <progress
          className="model-progress"
          max={bytes}
          value={done}
          aria-label={t('me.modelProgress', { name })}
        />
      )}
    </div>
  );
}

/** Returns a speech engine's name. Services compatible with OpenAI have a translated name. */
function engineName(id: string, t: TFunction): string {
  const names: Readonly<Record<string, string>> = {
    pocketsphinx: 'PocketSphinx',
    sherpa: 'sherpa-onnx',
    openai: t('me.speechService'),
  };
  return names[id] ?? id;
}
