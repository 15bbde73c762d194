import ChevronDown from 'lucide-react/icons/chevron-down';
import FileText from 'lucide-react/icons/file-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useHome } from '../../page-kit/services-context.ts';
import { BirdDrawing } from '../../ui/bird.tsx';
import { HelpLinks } from './help-links.tsx';
import './help.css';

const promises = ['kept', 'yours', 'easy', 'open'] as const;

const licenses = __LICENSES__;

/** Describes Linnet: what it is for, what it promises, and its components. */
export default function AboutUsPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Page title={t('help.about')} parent={useHome()}>
      <header className="about-head">
        <BirdDrawing width={200} />
        <p className="help-lead">{t('about.lead')}</p>
        <p className="about-version" data-testid="version">
          {t('about.version', { version: __APP_VERSION__ })}
        </p>
      </header>
      <ol className="promises" aria-label={t('about.promises')}>
        {promises.map((promise, index) => (
          <li className="card" key={promise}>
            <span className="promise-number display" aria-hidden="true">
              {formatCount(index + 1, language)}
            </span>
            <div>
              <h2>{t(`about.${promise}.title`)}</h2>
              <p>{t(`about.${promise}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
      <HelpLinks except="about" />
      <Section title={t('about.texts')}>
        <NavRow to={paths.privacyPolicy} icon={ShieldCheck} label={t('help.privacy')} />
        <NavRow to={paths.userAgreement} icon={FileText} label={t('help.terms')} />
      </Section>
      <section className="section about-source">
        <h2 className="section-title">{t('about.source')}</h2>
        <p>{t('about.sourceText')}</p>
        <details className="card licenses" data-testid="licenses">
          <summary className="line">
            <span className="line-words">
              {t('about.licences', {
                count: licenses.length,
                formatted: formatCount(licenses.length, language),
              })}
            </span>
            <span className="line-end">
              <ChevronDown size={18} aria-hidden="true" />
            </span>
          </summary>
          <ul>
            {licenses.map(({ name, version, license }) => (
              <li key={`${name} ${version}`}>
                <bdi>{name}</bdi>
                <bdi className="tabular">{version}</bdi>
                <bdi>{license}</bdi>
              </li>
            ))}
          </ul>
        </details>
      </section>
    </Page>
  );
}
