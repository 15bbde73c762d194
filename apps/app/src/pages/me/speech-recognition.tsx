import { autoLanguage } from '@linnet/contract/languages';
import type { TFunction } from 'i18next';
import { formatList, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useLanguageName } from '../../i18n/language-name.ts';
import { Section } from '../../page-kit/page.tsx';
import type { ModelDownload, ServerFacts } from '../../ports/server.ts';

/** Lists the languages that this server recognizes, how well, and the models that it is downloading. */
export function SpeechRecognition({ facts }: { facts: ServerFacts }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  const namedLanguages = facts.languages.filter((known) => known.language !== autoLanguage);
  const engines = Map.groupBy(namedLanguages, (entry) => `${entry.engine} ${entry.quality}`);
  const pending = (facts.downloads ?? []).filter(({ state }) => state !== 'installed');
  return (
    <Section title={t('me.transcribes')}>
      {engines.size === 0 && <p className="line">{t('me.noEngine')}</p>}
      {[...engines].map(([key, known]) => (
        <p className="line" key={key}>
          {t(known[0]?.quality === 'draft' ? 'me.draftEngine' : 'me.goodEngine', {
            engine: engineName(known[0]?.engine ?? '', t),
            languages: formatList(
              known.map((one) => languageName(one.language)),
              language,
            ),
          })}
        </p>
      ))}
      {pending.map((download) => (
        <ModelLine key={download.name} download={download} />
      ))}
    </Section>
  );
}

/** A model that isn't installed yet: its size, license and progress, or why its download failed and what to do. */
function ModelLine({ download }: { download: ModelDownload }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { name, licence, bytes, done_bytes: done, state, failure } = download;
  const size = formatSize(bytes, language);
  const left = formatSize(bytes - done, language);
  return (
    <div className="line" data-testid="model-download">
      <span className="line-words">
        <bdi>{name}</bdi>
        <span role={failure === null ? undefined : 'alert'}>
          {failure === null
            ? t(`me.model.${state}`, { size, left, licence })
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

/** Names of speech engines, keyed by id. Services compatible with OpenAI have a translated name. */
function engineName(id: string, t: TFunction): string {
  const names: Readonly<Record<string, string>> = {
    pocketsphinx: 'PocketSphinx',
    sherpa: 'sherpa-onnx',
    openai: t('me.speechService'),
  };
  return names[id] ?? id;
}
