/**
 * Going from screen to screen: the code of the next screen is there before anything moves, and the
 * platform's view transitions show where one went. The system's own back is left to the system.
 */
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type RefObject,
  use,
  useEffect,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';
import { useHref, useLocation, useNavigate, useNavigationType } from 'react-router';

/** Loads the code of the page at an address. The router provides it: pages know no other page. */
const PreloadContext = createContext<(path: string) => Promise<void>>(() => Promise.resolve());
export const PreloadProvider = PreloadContext.Provider;

type Way = 'push' | 'pop' | 'switch';

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/** Runs a change of screen inside a view transition where the browser has them. */
export function withTransition(way: Way, change: () => void | Promise<void>): void {
  if (!document.startViewTransition || stillness.matches || document.hidden) {
    void change();
    return;
  }
  const root = document.documentElement;
  root.dataset.way = way;
  const transition = document.startViewTransition(change);
  // `ready` rejects when the browser skips the drawing (a hidden tab): the change itself happened.
  transition.ready.catch(() => {});
  // That one rejects only with `change`, whose failure nobody else hears of.
  transition.finished.finally(() => {
    delete root.dataset.way;
  });
}

/** Goes to another screen once its code is there. A chunk that does not come shows on that screen. */
export function useGo() {
  const navigate = useNavigate();
  const preloadPath = use(PreloadContext);
  return async (to: string, options: { way?: Way; replace?: boolean } = {}) => {
    const go = () =>
      flushSync(() => {
        void navigate(to, { replace: options.replace ?? false });
      });
    try {
      await preloadPath(to);
    } catch {
      // The screen itself says what is wrong, with a way to retry.
      go();
      return;
    }
    withTransition(options.way ?? 'push', go);
  };
}

/** A browser that has not gone back by now will not: the screen must not stand still for longer. */
const goneLimitMs = 250;

/**
 * Resolves when the browser has gone back and React has drawn it, which it does before the next task.
 * No frame can be waited for: during a view transition there are none.
 */
function gone(): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, goneLimitMs);
    const settle = () => {
      clearTimeout(limit);
      setTimeout(resolve);
    };
    window.addEventListener('popstate', settle, { once: true });
  });
}

/** Back to where one came from; a deep link without a past goes up to `parent`, not out of the app. */
export function useBack(parent: string) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const go = useGo();
  const preloadPath = use(PreloadContext);
  return () => {
    if (key === 'default') {
      void go(parent, { way: 'pop', replace: true });
      return;
    }
    void preloadPath(parent).then(
      () =>
        withTransition('pop', () => {
          const arrived = gone();
          void navigate(-1);
          return arrived;
        }),
      // The screen itself says what is wrong: without its code it is gone to at once.
      () => navigate(-1),
    );
  };
}

/** A link that preloads under the finger and moves with a transition. */
export function GoLink({
  to,
  way = 'push',
  replace = false,
  onPointerDown,
  onClick,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & { to: string; way?: Way; replace?: boolean }) {
  const go = useGo();
  const preloadPath = use(PreloadContext);
  const href = useHref(to);
  // Code that does not come now comes when one goes there, or that screen says why not.
  const warm = () => void preloadPath(to).catch(() => {});
  return (
    <a
      {...rest}
      href={href}
      onPointerDown={(event) => {
        onPointerDown?.(event);
        warm();
      }}
      onPointerEnter={warm}
      onFocus={warm}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        onClick?.(event);
        const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
        if (event.defaultPrevented || !plain) return;
        event.preventDefault();
        void go(to, { way, replace });
      }}
    />
  );
}

/** Whether what had the focus went away with it. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/**
 * Puts the focus on the heading of a screen that was just pushed, or that took the place of another one
 * with the focus in it: where the eye is.
 * @param here whether this is the screen that one comes to, and not one beside it
 */
export function useFocusOnArrival<E extends HTMLElement>(here = true): RefObject<E | null> {
  const ref = useRef<E>(null);
  const type = useNavigationType();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new arrival.
  useEffect(() => {
    const arrived = type === 'PUSH' || (type === 'REPLACE' && isFocusLost());
    if (here && arrived) ref.current?.focus({ preventScroll: true });
  }, [here, type, key]);
  return ref;
}

/** When a step of a screen takes away what had the focus, its heading has it: what comes next comes after it. */
export function useFocusKept(heading: RefObject<HTMLElement | null>, step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step && isFocusLost()) heading.current?.focus({ preventScroll: true });
    shown.current = step;
  }, [heading, step]);
}
