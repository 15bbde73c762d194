import { agreementVersion } from '@linnet/contract/agreement';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { useHome } from '../../page-kit/services-context.ts';
import './help.css';

/** Each agreement's sections, in order. */
const parts = {
  privacy: [
    'who',
    'phone',
    'server',
    'recordings',
    'others',
    'logs',
    'payment',
    'never',
    'delete',
    'rights',
    'changes',
  ],
  terms: [
    'what',
    'account',
    'recordings',
    'consent',
    'use',
    'membership',
    'engines',
    'care',
    'end',
    'changes',
  ],
} as const;

/** Shows one of the two agreements that users accept when they register. */
export default function AgreementPage({ text }: { text: 'privacy' | 'terms' }) {
  const { t } = useTranslation();
  const paragraphText = (key: string) =>
    t(`agreements.${text}.${key}` as 'agreements.privacy.lead');
  return (
    <Page key={text} title={paragraphText('title')} parent={useHome()}>
      <article className="agreement">
        <p className="help-lead">{paragraphText('lead')}</p>
        {parts[text].map((part) => (
          <section key={part}>
            <h2>{paragraphText(`${part}.title`)}</h2>
            {paragraphText(`${part}.text`)
              .split('\n')
              .map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
          </section>
        ))}
        <p className="small-print" data-testid="agreement-version">
          {t('agreements.version', { version: agreementVersion })}
        </p>
      </article>
    </Page>
  );
}
