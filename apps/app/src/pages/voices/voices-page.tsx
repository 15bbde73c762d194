import { voiceSetting } from '@linnet/contract/statuses';
import UserRoundCheck from 'lucide-react/icons/user-round-check';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { VoiceList } from './voice-list.tsx';
import './voices.css';

const { group, key } = voiceSetting;

/** The account's consent to remembering voices, and the remembered voices. */
export default function VoicesPage() {
  const { t } = useTranslation();
  const { settings: settingsService, server } = useServices();
  const settings = useStore(settingsService.all);
  const serverState = useStore(server);
  const changeSetting = useChangeSetting();
  const [isConfirming, setConfirming] = useState(false);
  const serverInfo = serverState.status === 'unknown' ? null : serverState.info;
  const isOn =
    settings.status === 'ready' &&
    settings.value.some(
      ({ group_name, config_key, config_value }) =>
        group_name === group && config_key === key && config_value === '1',
    );
  const change = (value: boolean) => changeSetting(group, key, value ? '1' : '0');

  return (
    <Page title={t('voices.title')} parent={paths.me}>
      {settings.status !== 'ready' ? (
        <LoadingPlaceholder lines={3} />
      ) : (
        <>
          <div className="section">
            <div className="card">
              <SwitchLine
                icon={<UserRoundCheck size={20} aria-hidden="true" />}
                label={t('voices.remember')}
                hint={t(isOn ? 'voices.on' : 'voices.off')}
                checked={isOn}
                testId="remember-voices"
                onChange={(value) => (value ? change(true) : setConfirming(true))}
              />
            </div>
            <p className="voices-lead">{t('voices.lead')}</p>
          </div>
          {serverInfo?.speakers === false && (
            <Notice
              tone="plain"
              message={t('voices.unavailable')}
              detail={t('voices.unavailableHint')}
            />
          )}
          {isOn && <VoiceList />}
        </>
      )}
      {isConfirming && (
        <Confirm
          title={t('voices.offTitle')}
          confirmLabel={t('voices.offButton')}
          danger
          onCancel={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            change(false);
          }}
        >
          {t('voices.offText')}
        </Confirm>
      )}
    </Page>
  );
}
