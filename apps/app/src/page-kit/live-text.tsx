/** The text recognized in a recording while it is in progress. */
import type { LiveText } from '@linnet/sync';
import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from '../i18n/index.ts';
import type { Store } from '../ports/store.ts';
import { type LiveNote, liveNote } from './live-note.ts';
import { useServices, useStore } from './services-context.ts';
import './live-text.css';

/** Maximum distance from the end, in pixels, at which the view still follows new text. */
const END_TOLERANCE = 24;

/** Keeps the end of a scrolling element in view while its content grows, unless the user has scrolled up. */
function useFollowEnd(content: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each change of the content.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [content]);
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const { scrollHeight, scrollTop, clientHeight } = element;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < END_TOLERANCE;
  };
  return { box, onScroll };
}

/** Returns the ID of the recording in progress, without re-rendering for each new level. */
export function useLiveRecordId(
  audioLevels: Store<{ readonly recordId: string | null }>,
): string | null {
  const subscribe = useCallback(
    (listener: () => void) => audioLevels.subscribe(listener),
    [audioLevels],
  );
  return useSyncExternalStore(subscribe, () => audioLevels.get().recordId);
}

/**
 * Shows a recording's live text, or explains why there is none. Renders nothing if live text is turned off.
 * @param isListening whether audio is being recorded right now
 */
export function LiveTextView({
  recordId,
  isListening,
}: {
  recordId: string | null;
  isListening: boolean;
}) {
  const { liveText } = useServices();
  const availability = useStore(liveText.availability);
  const text = useStore(liveText.texts).get(recordId ?? '') ?? null;
  useEffect(() => (recordId === null ? undefined : liveText.watch(recordId)), [liveText, recordId]);
  if (availability === 'off') return null;
  return <LiveTextSection text={text} note={liveNote(availability, text, isListening)} />;
}

/** Shows the text and the note below it. Renders nothing if there is neither. */
export function LiveTextSection({ text, note }: { text: LiveText | null; note: LiveNote | null }) {
  const { t } = useTranslation();
  const hasText = text !== null && (text.passages.length > 0 || text.tentative !== null);
  if (!hasText && !note) return null;
  return (
    <section className="live-text" aria-label={t('live.title')} data-testid="live-text">
      {hasText && <Passages text={text} />}
      <p className="live-text-note" role="status" data-note={note ?? undefined}>
        {note && t(`live.${note}`)}
      </p>
    </section>
  );
}

/** Shows the text. Only final passages are announced to screen readers, because tentative text changes every second. */
function Passages({ text }: { text: LiveText }) {
  const { box, onScroll } = useFollowEnd(text);
  const { passages, tentative, language } = text;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the text.
    <div ref={box} className="live-text-words" tabIndex={0} onScroll={onScroll}>
      <div role="log" lang={language} dir="auto">
        {passages.map(({ start, text: passage }) => (
          <p key={start} dir="auto">
            {passage}
          </p>
        ))}
      </div>
      {tentative && (
        <p className="live-text-tentative" lang={language} dir="auto" data-testid="live-tentative">
          {tentative.text}
        </p>
      )}
    </div>
  );
}
