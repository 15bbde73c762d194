import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useHome, useServerInfo } from '../../page-kit/services-context.ts';
import { EmptyState } from '../../ui/notice.tsx';
import './help.css';

/** Returns a URL in display form: the email address, or the website's host. */
function displayAddress(url: URL): string {
  return url.protocol === 'mailto:' ? decodeURIComponent(url.pathname) : url.host;
}

/** Shows the operator's contact, or the feedback form if no contact is configured. */
export default function CustomerServicePage() {
  const { t } = useTranslation();
  const serverInfo = useServerInfo();
  const url = serverInfo?.supportUrl ? new URL(serverInfo.supportUrl) : null;
  const form = (
    <PageLink
      to={paths.feedback}
      className="button"
      data-look={url ? 'plain' : 'primary'}
      data-testid="to-feedback"
    >
      {t('service.form')}
    </PageLink>
  );
  return (
    <Page title={t('help.online')} parent={useHome()}>
      {url ? (
        <EmptyState
          title={t(url.protocol === 'mailto:' ? 'service.mail' : 'service.page')}
          action={
            <div className="service-ways">
              <a
                className="button"
                data-look="primary"
                data-testid="support"
                href={url.href}
                target={url.protocol === 'mailto:' ? undefined : '_blank'}
                rel="noreferrer"
              >
                <bdi>{displayAddress(url)}</bdi>
              </a>
              {form}
            </div>
          }
        >
          {t('service.whose')}
        </EmptyState>
      ) : (
        <EmptyState title={t(serverInfo ? 'service.none' : 'service.unknown')} action={form}>
          {t(serverInfo ? 'service.noneHint' : 'service.unknownHint')}
        </EmptyState>
      )}
    </Page>
  );
}
