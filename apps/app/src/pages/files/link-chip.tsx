import ChevronRight from 'lucide-react/icons/chevron-right';
import { formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Battery } from '../../ui/recorder.tsx';

/** A chip that shows the recorder's connection state and links to the recorder's page. */
export function LinkChip() {
  const { t } = useTranslation();
  const language = useLanguage();
  const link = useStore(useServices().recorder.link);
  if (link.status === 'none') return null;
  const battery = link.status === 'connected' ? link.recorder.battery : null;
  const text =
    link.status === 'connected'
      ? t('me.connected')
      : t(link.status === 'connecting' ? 'me.connecting' : 'me.disconnected');
  return (
    <PageLink
      to={link.status === 'connected' ? paths.deviceFiles : paths.deviceConnect}
      className="link-chip"
      data-testid="connected"
      data-status={link.status}
    >
      <span className="link-dot" aria-hidden="true" />
      <span className="link-name" dir="auto">
        {link.name}
      </span>
      {battery ? (
        <>
          <span className="visually-hidden">{text}</span>
          <Battery
            level={battery.level}
            charging={battery.charging}
            label={t(battery.charging ? 'me.charging' : 'me.battery', {
              percent: formatPercentage(battery.level, language),
            })}
          />
        </>
      ) : (
        <span className="link-words">{text}</span>
      )}
      <ChevronRight className="turns" size={16} aria-hidden="true" />
    </PageLink>
  );
}
