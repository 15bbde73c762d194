import TextQuote from 'lucide-react/icons/text-quote';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import './analysis.css';

/** A button that shows a time and plays the recording from there. */
export function PlayTime({ time, onPlay }: { time: number; onPlay(time: number): void }) {
  const { t } = useTranslation();
  const formattedTime = formatClock(time, useLanguage());
  return (
    <button
      type="button"
      className="paragraph-time tabular"
      aria-label={t('detail.playFrom', { time: formattedTime })}
      data-testid="play-time"
      onClick={() => onPlay(time)}
    >
      {formattedTime}
    </button>
  );
}

/** A link to the source paragraph. */
export function SourceLink({
  text,
  paragraph,
  onJump,
}: {
  /** The item's text, for screen readers. */
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
