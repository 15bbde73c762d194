import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { NoNetwork } from './no-network.tsx';
import { useNextStep } from './use-next-step.ts';
import './wifi.css';

/** Shows the progress of joining the recorder's network automatically, or links to manual instructions. */
export default function JoinPage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  useNextStep('joining');
  const joining = link.status === 'hotspot' ? link.joining : null;
  return (
    <Page title={t('wifi.joinTitle')} parent={paths.wifiTransmission} step={joining ?? 'gone'}>
      {link.status !== 'hotspot' ? (
        <NoNetwork />
      ) : (
        <div className="wifi-hero" data-testid="wifi-joining" data-joining={link.joining}>
          <RecorderDrawing face="searching" />
          <div role="status">
            <h2 className="display">
              {link.joining === 'asked'
                ? t('wifi.joining', { ssid: link.ssid })
                : t(link.joining === 'by_hand' ? 'wifi.byHand' : 'wifi.notByItself')}
            </h2>
            <p>
              {t(
                link.joining === 'asked'
                  ? 'wifi.joiningHint'
                  : link.joining === 'by_hand'
                    ? 'wifi.byHandHint'
                    : 'wifi.notByItselfHint',
              )}
            </p>
          </div>
          <PageLink
            to={paths.wifiJoinByHand}
            replace
            className="button"
            data-look={link.joining === 'asked' ? 'plain' : 'primary'}
            data-testid="by-hand"
          >
            {t(link.joining === 'by_hand' ? 'wifi.toSteps' : 'wifi.byHand')}
          </PageLink>
          <Button
            variant="quiet"
            data-testid="wifi-close"
            onClick={() => void recorder.transfer.cancel()}
          >
            {t('common.cancel')}
          </Button>
        </div>
      )}
    </Page>
  );
}
