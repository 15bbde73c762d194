import { type MouseEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';
import type { ConversationState } from '../../ports/questions.ts';

type Open = Extract<ConversationState, { status: 'open' }>;

/** Where the user was when a quote was opened. */
let saved: {
  readonly thread: string | null;
  readonly scrollTop: number;
  readonly href: string;
  readonly expanded: ReadonlySet<string>;
} | null = null;

const scrollerOf = (list: Element | null) => list?.closest('.ask-scroll') ?? null;

/**
 * Scrolls a new question, and then its answer, to the top of the view. Saves the place when a quote is opened, and
 * restores it on return.
 */
export function useConversationPlace({ thread, answers, asking }: Open) {
  const isReturn = useNavigationType() === 'POP' && saved?.thread === thread;
  const restored = useRef(isReturn ? saved : null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () => restored.current?.expanded ?? new Set(),
  );
  const list = useRef<HTMLOListElement>(null);

  useLayoutEffect(() => {
    const place = restored.current;
    const box = scrollerOf(list.current);
    if (!place || !box) return;
    box.scrollTop = place.scrollTop;
    list.current
      ?.querySelector<HTMLElement>(`a[href="${CSS.escape(place.href)}"]`)
      ?.focus({ preventScroll: true });
  }, []);

  const isAsking = asking.status === 'asking';
  const turns = answers.length + (isAsking ? 1 : 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new question and answer.
  useLayoutEffect(() => {
    if (restored.current) {
      restored.current = null;
      return;
    }
    if (turns > 0) list.current?.lastElementChild?.scrollIntoView({ block: 'start' });
  }, [turns, isAsking]);

  return {
    list,
    expanded,
    expand: useCallback((answer: string) => setExpanded((all) => new Set([...all, answer])), []),
    onOpen: (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (!link) return;
      const href = link.getAttribute('href') ?? '';
      saved = { thread, scrollTop: scrollerOf(list.current)?.scrollTop ?? 0, href, expanded };
    },
  };
}
