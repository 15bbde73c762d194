import Server from 'lucide-react/icons/server';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSignedOutServices, useStore } from '../../page-kit/services-context.ts';
import type { AddressFailure, FoundServer } from '../../ports/server-address.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import './server-address.css';

/** Strips `https://` from an address. */
const withoutScheme = (address: string) => address.replace(/^https:\/\//, '');

/** The outcome of checking the entered address. */
type CheckResult =
  | { readonly status: 'idle' | 'checking' }
  | { readonly status: 'found'; readonly server: FoundServer }
  | { readonly status: 'failed'; readonly failure: AddressFailure };

/** Selects the server. A new address is validated before use. */
export default function ServerAddressPage() {
  const { t } = useTranslation();
  const { account, address } = useSignedOutServices();
  const isSignedIn = useStore(account.state).status === 'signed-in';
  const [typed, setTyped] = useState('');
  const [result, setResult] = useState<CheckResult>({ status: 'idle' });
  const [requested, setRequested] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** Incremented on each edit and each check. Results of outdated checks are ignored. */
  const latest = useRef(0);
  const { current, own } = address;

  const askToSwitch = async (event: FormEvent) => {
    event.preventDefault();
    if (result.status === 'checking') return;
    latest.current += 1;
    const check = latest.current;
    setResult({ status: 'checking' });
    const response = await address.find(typed);
    if (check !== latest.current) return;
    setResult(
      response.ok
        ? { status: 'found', server: response.data }
        : { status: 'failed', failure: response.failure },
    );
  };
  const switchServer = (chosen: string) => {
    setBusy(true);
    void address.use(chosen);
  };
  const choose = (chosen: string) => (isSignedIn ? setRequested(chosen) : switchServer(chosen));

  return (
    <Page title={t('address.title')} parent={isSignedIn ? paths.me : paths.entry}>
      <p className="address-lead">{t('address.lead')}</p>
      <Section title={t('address.now')}>
        <p className="line address-now">
          <Server size={20} aria-hidden="true" />
          <span className="line-words">
            <bdi dir="ltr" data-testid="current-server">
              {withoutScheme(current)}
            </bdi>
            <span>{t(current === own ? 'address.isOwn' : 'address.isOther')}</span>
          </span>
        </p>
      </Section>
      <form className="address-form" onSubmit={askToSwitch} noValidate>
        <Field
          label={t('address.another')}
          hint={t('address.hint')}
          value={typed}
          onChange={(event) => {
            latest.current += 1;
            setTyped(event.currentTarget.value);
            setResult({ status: 'idle' });
          }}
          type="url"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="url"
          spellCheck={false}
          dir="ltr"
          data-testid="server-address"
        />
        <Button
          type="submit"
          busy={result.status === 'checking'}
          disabled={typed.trim() === ''}
          data-testid="ask-server"
        >
          {t('address.ask')}
        </Button>
      </form>
      <div aria-live="polite" className="address-answer">
        {result.status === 'found' && (
          <section className="card address-found" data-testid="found-server">
            <p>
              <strong>
                <bdi dir="ltr">{withoutScheme(result.server.address)}</bdi>
              </strong>
              <span>{t('address.version', { version: result.server.version })}</span>
            </p>
            {result.server.address === current ? (
              <p>{t('address.same')}</p>
            ) : (
              <Button
                variant="primary"
                busy={isBusy}
                data-testid="use-server"
                onClick={() => choose(result.server.address)}
              >
                {t('address.use')}
              </Button>
            )}
          </section>
        )}
      </div>
      {result.status === 'failed' && (
        <Notice
          message={t(`address.failures.${result.failure}.what`)}
          detail={t(`address.failures.${result.failure}.todo`)}
          code={result.failure}
        />
      )}
      {current !== own && (
        <Button data-testid="use-own" busy={isBusy} onClick={() => choose(own)}>
          {t('address.back')}
        </Button>
      )}
      {requested && (
        <Confirm
          title={t('address.leaveTitle')}
          confirmLabel={t('address.leave')}
          busy={isBusy}
          onCancel={() => setRequested(null)}
          onConfirm={() => switchServer(requested)}
        >
          {t('address.leaveText')}
        </Confirm>
      )}
    </Page>
  );
}
