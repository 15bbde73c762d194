import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import type { LinkState } from '../ports/recorder.ts';
import { EmptyState } from '../ui/notice.tsx';
import { RecorderDrawing } from '../ui/recorder.tsx';
import { PageLink } from './navigation.tsx';
import { paths } from './paths.ts';

/**
 * Shown on pages that need a connected recorder. Says that the recorder is connecting, or links to the page that
 * connects one.
 */
export function NotConnected({
  link,
  title,
  children,
}: {
  link: LinkState;
  /** The heading while the recorder is neither connected nor connecting. */
  title: string;
  /** Explains what becomes available once a recorder is connected. */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const isConnecting = link.status === 'connecting';
  return (
    <EmptyState
      title={isConnecting ? t('record.connecting') : title}
      drawing={<RecorderDrawing face={isConnecting ? 'searching' : 'off'} />}
      action={
        <PageLink
          to={paths.deviceConnect}
          className="button"
          data-look={isConnecting ? 'plain' : 'primary'}
        >
          {link.status === 'none'
            ? t('files.connect')
            : t('connect.reconnect', { name: link.name })}
        </PageLink>
      }
    >
      {isConnecting ? null : children}
    </EmptyState>
  );
}
