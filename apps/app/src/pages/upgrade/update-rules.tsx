import AppWindow from 'lucide-react/icons/app-window';
import MicOff from 'lucide-react/icons/mic-off';
import Power from 'lucide-react/icons/power';
import Smartphone from 'lucide-react/icons/smartphone';
import { useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';

const rules = [
  ['keepNear', Smartphone],
  ['keepOn', Power],
  ['keepOpen', AppWindow],
  ['noRecording', MicOff],
] as const;

/** Instructions to follow during an update. */
export function UpdateRules() {
  const { t } = useTranslation();
  return (
    <Section title={t('upgrade.meanwhile')}>
      <ul>
        {rules.map(([rule, Icon]) => (
          <li className="line upgrade-rule" key={rule}>
            <Icon size={20} aria-hidden="true" />
            <span>{t(`upgrade.${rule}`)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
