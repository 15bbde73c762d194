import { useTranslation } from '../../../i18n/index.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import './shortcuts.css';

const keys = [
  { name: 'play', keys: ['space'] },
  { name: 'skip', keys: ['←', '→'] },
  { name: 'mark', keys: ['M'] },
  { name: 'find', keys: ['/'] },
  { name: 'keep', keys: ['Ctrl', 'Enter'] },
  { name: 'leave', keys: ['Esc'] },
  { name: 'help', keys: ['?'] },
] as const;

/** Lists the keyboard shortcuts of the recording page. */
export function ShortcutsSheet({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Sheet title={t('shortcuts.title')} onClose={onClose}>
      <dl className="shortcuts" data-testid="shortcuts">
        {keys.map(({ name, keys }) => (
          <div key={name}>
            <dt>{t(`shortcuts.${name}`)}</dt>
            <dd dir="ltr">
              {keys.map((key) => (
                <kbd key={key}>{key === 'space' ? t('shortcuts.space') : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
