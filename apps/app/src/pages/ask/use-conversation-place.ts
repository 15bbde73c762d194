import { type MouseEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';
import type { ConversationState } from '../../ports/questions.ts';

type OpenConversation = Extract<ConversationState, { status: 'open' }>;

/** The thread and scroll position at the time a quote was opened. */
let saved: {
  readonly thread: string | null;
  readonly scrollTop: number;
  readonly href: string;
  readonly expanded: ReadonlySet<string>;
} | null = null;

/** Gap in pixels between a question and the top of the view. */
const gap = 12;
const contentTop = (box: Element) => box.getBoundingClientRect().top + gap;

const findScroller = (list: Element | null) => list?.closest('.ask-scroll') ?? null;

/**
 * Scrolls a new question, and then its answer, to the top of the view. If the question failed, scrolls to the notice
 * instead. Saves the scroll position when a quote is opened, and restores it when the user returns.
 * @param hasLinks whether the quotes are links, which they become once their recordings have loaded
 */
export function useConversationPlace(
  { thread, answers, asking }: OpenConversation,
  hasLinks: boolean,
) {
  const isBackNavigation = useNavigationType() === 'POP' && saved?.thread === thread;
  const restored = useRef(isBackNavigation ? saved : null);
  const wasRestored = useRef(isBackNavigation);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () => restored.current?.expanded ?? new Set(),
  );
  const list = useRef<HTMLOListElement>(null);

  useLayoutEffect(() => {
    const restoredPlace = restored.current;
    if (!hasLinks || !restoredPlace) return;
    restored.current = null;
    const box = findScroller(list.current);
    if (box) box.scrollTop = restoredPlace.scrollTop;
    list.current
      ?.querySelector<HTMLElement>(`a[href="${CSS.escape(restoredPlace.href)}"]`)
      ?.focus({ preventScroll: true });
  }, [hasLinks]);

  const { status } = asking;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new question and answer.
  useLayoutEffect(() => {
    if (wasRestored.current) {
      wasRestored.current = false;
      return;
    }
    const box = findScroller(list.current);
    const lastItem = list.current?.lastElementChild;
    if (!box) return;
    if (status === 'failed') box.scrollTop = box.scrollHeight;
    // `scrollIntoView` would also scroll the page behind the box.
    else if (lastItem) box.scrollTop += lastItem.getBoundingClientRect().top - contentTop(box);
  }, [answers.length, status]);

  return {
    list,
    expanded,
    expand: useCallback((answer: string) => setExpanded((all) => new Set([...all, answer])), []),
    onOpen: (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (!link) return;
      const href = link.getAttribute('href') ?? '';
      saved = { thread, scrollTop: findScroller(list.current)?.scrollTop ?? 0, href, expanded };
    },
  };
}
