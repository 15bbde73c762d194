import TextQuote from 'lucide-react/icons/text-quote';
import { clock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import './understood.css';

/** When something was said: plays from there. */
export function PlayTime({ time, onPlay }: { time: number; onPlay(time: number): void }) {
  const { t } = useTranslation();
  const begin = clock(time, useLanguage());
  return (
    <button
      type="button"
      className="paragraph-time tabular"
      aria-label={t('detail.playFrom', { time: begin })}
      data-testid="play-time"
      onClick={() => onPlay(time)}
    >
      {begin}
    </button>
  );
}

/** Leads to the paragraph in which something was said. */
export function ToSource({
  text,
  paragraph,
  onJump,
}: {
  /** What was said, for whoever hears the page. */
  text: string;
  paragraph: string;
  onJump(paragraph: string): void;
}) {
  const { t } = useTranslation();
  return (
    <IconButton
      label={t('understood.toSource', { text })}
      className="to-source"
      data-testid="to-source"
      onClick={() => onJump(paragraph)}
    >
      <TextQuote size={18} className="turns" />
    </IconButton>
  );
}
