import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSignedOutServices } from '../../page-kit/services-context.ts';
import { BirdMark } from '../../ui/bird.tsx';
import { EntryHelp } from './entry-help.tsx';
import { LanguageButton } from './language-button.tsx';
import { LinnetIllustration } from './linnet-illustration.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import './entry.css';

/**
 * The entry screen. Sign-in, sign-up and password reset share one component, which makes switching between them
 * instant.
 */
export default function EntryPage({ mode }: { mode: 'sign-in' | 'sign-up' | 'forgot' }) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { address } = useSignedOutServices();
  const heading = useRef<HTMLHeadingElement>(null);
  const lastMode = useRef(mode);
  useEffect(() => {
    if (lastMode.current === mode) return;
    lastMode.current = mode;
    // Start each form at the top, regardless of the previous scroll position.
    heading.current?.closest('main')?.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [mode]);

  const title = {
    'sign-in': t('account.signInTitle'),
    'sign-up': t('account.signUpTitle'),
    forgot: t('account.forgotTitle'),
  }[mode];

  // A user who resets a password already has an account, so needs no link.
  const question = {
    'sign-in': t('account.noAccount'),
    'sign-up': t('account.haveAccount'),
    forgot: null,
  }[mode];
  return (
    <main className="entry" data-face={mode}>
      <title>{`${title} · Linnet`}</title>
      <div className="entry-brand">
        <LinnetIllustration />
        <p className="entry-name display">{t('app.name')}</p>
        <p className="entry-motto">{t('app.motto')}</p>
      </div>
      <div className="entry-side">
        <div className="entry-top">
          <span className="entry-mark">
            <BirdMark size={32} />
          </span>
          <LanguageButton />
        </div>
        <div className="entry-form">
          <h1 className="display" ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {mode === 'forgot' && <p className="entry-lead">{t('account.forgotLead')}</p>}
          {mode === 'sign-in' ? (
            <SignInForm key="sign-in" />
          ) : (
            <NewPasswordForm key={mode} mode={mode} />
          )}
          <p className="entry-other">
            {question !== null && `${question} `}
            <PageLink
              to={(mode === 'sign-in' ? paths.register : paths.entry) + search}
              transition="switch"
              data-testid={mode === 'sign-in' ? 'to-register' : 'to-sign-in'}
            >
              {t(mode === 'sign-in' ? 'account.signUp' : 'account.signIn')}
            </PageLink>
          </p>
          <EntryHelp />
        </div>
        <footer className="entry-foot">
          <PageLink to={paths.language} data-testid="to-language">
            {t('account.language')}
          </PageLink>
          <PageLink to={paths.serverAddress} data-testid="to-server">
            {t('account.server')}
            {address.current !== address.own && (
              <bdi dir="ltr">{new URL(address.current).host}</bdi>
            )}
          </PageLink>
        </footer>
      </div>
    </main>
  );
}
