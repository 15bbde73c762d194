import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import type { WavePoint } from './wave-points.ts';

/** The kinds' translation keys, in legend order. */
const kindNames = {
  marker: 'detail.markers',
  mark: 'player.highlights',
  todo: 'detail.todos',
  event: 'detail.timeline',
} as const satisfies Record<WavePoint['kind'], string>;
const kinds = Object.keys(kindNames) as WavePoint['kind'][];

/** Names the kinds of marks on the waveform. */
export function WaveLegend({ points }: { points: readonly WavePoint[] }) {
  const { t } = useTranslation();
  const shownKinds = kinds.filter((kind) => points.some((point) => point.kind === kind));
  if (shownKinds.length === 0) return null;
  return (
    <ul className="wave-legend" data-testid="wave-legend">
      {shownKinds.map((kind) => (
        <li key={kind}>
          <span className="wave-sign" data-kind={kind} aria-hidden="true" />
          {t(kindNames[kind])}
        </li>
      ))}
    </ul>
  );
}

/**
 * The marks on the waveform. The group is a single tab stop; the arrow keys move within it. Marks may be too close
 * together for a finger, so a press goes to the slider below, which seeks to a nearby mark.
 */
export const WaveMarks = memo(function WaveMarks({
  points,
  duration,
  disabled,
  onSeek,
}: {
  points: readonly WavePoint[];
  /** The recording's length in seconds. */
  duration: number;
  disabled: boolean;
  onSeek(time: number): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const group = useRef<HTMLDivElement>(null);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const sorted = useMemo(() => points.toSorted((a, b) => a.time - b.time), [points]);
  const tabStop = Math.max(
    0,
    sorted.findIndex(({ key }) => key === focusedKey),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: tabStop + 1,
      ArrowLeft: tabStop - 1,
      Home: 0,
      End: sorted.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    (group.current?.children[target] as HTMLElement | undefined)?.focus();
  };
  if (sorted.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields.
    <div
      ref={group}
      className="wave-points"
      dir="ltr"
      role="group"
      aria-label={t('player.marks')}
      onKeyDown={onKeyDown}
    >
      {sorted.map(({ key, kind, time }, index) => (
        <button
          key={key}
          type="button"
          className="wave-sign"
          data-kind={kind}
          data-testid="wave-mark"
          tabIndex={index === tabStop ? 0 : -1}
          disabled={disabled}
          aria-label={t('common.named', {
            what: t(kindNames[kind]),
            which: formatClock(time, language),
          })}
          style={{ left: `${Math.min(1, time / duration) * 100}%` }}
          onFocus={() => setFocusedKey(key)}
          onClick={() => onSeek(time)}
        />
      ))}
    </div>
  );
});
