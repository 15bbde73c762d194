import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { BlockedNotice } from './blocked-notice.tsx';

/** Turns notifications about an almost full recorder on or off, where the browser or phone allows them. */
export function RecorderSpaceSection() {
  const { t } = useTranslation();
  const { recorderSpaceNotices } = useServices();
  const [state, setState] = useState(recorderSpaceNotices.state);
  // The page already explains that notifications are unsupported or blocked.
  const [isExplained] = useState(state === 'unsupported' || state === 'blocked');
  if (isExplained) return null;
  if (state === 'blocked') {
    return <BlockedNotice />;
  }
  return (
    <div className="card">
      <SwitchLine
        label={t('notifications.recorderSpace')}
        hint={t('notifications.recorderSpaceHint')}
        checked={state === 'on'}
        testId="notify-recorder-space"
        onChange={(isOn) => {
          if (isOn) void recorderSpaceNotices.turnOn().then(setState);
          else setState(recorderSpaceNotices.turnOff());
        }}
      />
    </div>
  );
}
