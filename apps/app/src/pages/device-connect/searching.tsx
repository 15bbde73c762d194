import { useTranslation } from '../../i18n/index.ts';
import { RecorderDrawing } from '../../ui/recorder.tsx';

/** Shown while searching for recorders. */
export function Searching() {
  const { t } = useTranslation();
  return (
    <div className="connect-hero" role="status">
      <span className="connect-waves">
        <span />
        <span />
        <span />
        <RecorderDrawing face="searching" />
      </span>
      <h2 className="display">{t('connect.searching')}</h2>
      <p>{t('connect.searchingHint')}</p>
    </div>
  );
}
