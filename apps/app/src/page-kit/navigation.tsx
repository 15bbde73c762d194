/**
 * Navigation between screens. The next screen's code is loaded before the transition starts, and the
 * platform's view transitions show the direction. The system's back gesture is left to the system.
 */
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type RefObject,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';
import { useHref, useLocation, useNavigate, useNavigationType } from 'react-router';

/** Preloads the page at an address. Provided by the router, so that pages don't depend on each other. */
const PreloadContext = createContext<(path: string) => Promise<void>>(() => Promise.resolve());
export const PreloadProvider = PreloadContext.Provider;

type Transition = 'push' | 'pop' | 'switch';

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** Changes the screen inside a view transition, where the browser supports it. */
function withTransition(kind: Transition, change: () => void | Promise<void>): void {
  if (!document.startViewTransition || reducedMotion.matches || document.hidden) {
    void change();
    return;
  }
  const root = document.documentElement;
  root.dataset.transition = kind;
  const transition = document.startViewTransition(change);
  // `ready` rejects if the browser skips the animation (a hidden tab). The change itself took place.
  transition.ready.catch(() => {});
  // `finished` rejects only with the failure of `change`; it must stay unhandled to be reported.
  transition.finished.finally(() => {
    delete root.dataset.transition;
  });
}

/**
 * Returns a function that goes to another screen once its code is loaded. If loading fails, that screen shows
 * the error.
 */
export function useGo() {
  const navigate = useNavigate();
  const preloadPath = use(PreloadContext);
  return async (to: string, options: { transition?: Transition; replace?: boolean } = {}) => {
    const go = () =>
      flushSync(() => {
        void navigate(to, { replace: options.replace ?? false });
      });
    try {
      await preloadPath(to);
    } catch {
      // The target screen shows the error with a retry.
      go();
      return;
    }
    withTransition(options.transition ?? 'push', go);
  };
}

/** Upper limit for going back, so that the screen never freezes for longer. */
const backLimitMs = 250;

/**
 * Resolves when the browser has gone back and React has rendered, which happens before the next task. Waiting
 * for a frame is not possible: there are none during a view transition.
 */
function wentBack(): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, backLimitMs);
    const settle = () => {
      clearTimeout(limit);
      setTimeout(resolve);
    };
    window.addEventListener('popstate', settle, { once: true });
  });
}

/**
 * Returns a function that goes back. On a deep link without history it goes up to `parent` rather than out of
 * the app.
 */
export function useBack(parent: string) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const go = useGo();
  const preloadPath = use(PreloadContext);
  return () => {
    if (key === 'default') {
      void go(parent, { transition: 'pop', replace: true });
      return;
    }
    void preloadPath(parent).then(
      () =>
        withTransition('pop', () => {
          const arrived = wentBack();
          void navigate(-1);
          return arrived;
        }),
      // Without the code there is no transition; the target screen shows the error.
      () => navigate(-1),
    );
  };
}

/** A link that preloads its target on pointer down, hover or focus, and navigates with a transition. */
export function GoLink({
  to,
  transition = 'push',
  replace = false,
  onPointerDown,
  onClick,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & { to: string; transition?: Transition; replace?: boolean }) {
  const go = useGo();
  const preloadPath = use(PreloadContext);
  const href = useHref(to);
  // A failed preload is retried on navigation, and the target screen reports a second failure.
  const preload = () => void preloadPath(to).catch(() => {});
  return (
    <a
      {...rest}
      href={href}
      onPointerDown={(event) => {
        onPointerDown?.(event);
        preload();
      }}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        onClick?.(event);
        const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
        if (event.defaultPrevented || !plain) return;
        event.preventDefault();
        void go(to, { transition, replace });
      }}
    />
  );
}

/** Whether the focused element was removed from the page. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/**
 * Moves the focus to the heading of a screen that was pushed, or that replaced the screen with the focus. This
 * happens in the commit that shows the screen: afterwards, the user may already have focused something on it.
 * @param isTarget whether this screen is the navigation target, rather than one beside it
 */
export function useFocusOnArrival<E extends HTMLElement>(isTarget = true): RefObject<E | null> {
  const ref = useRef<E>(null);
  const type = useNavigationType();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new arrival.
  useLayoutEffect(() => {
    const arrived = type === 'PUSH' || (type === 'REPLACE' && isFocusLost());
    if (isTarget && arrived) ref.current?.focus({ preventScroll: true });
  }, [isTarget, type, key]);
  return ref;
}

/** Moves the focus to the heading if a step of the screen removed the focused element. */
export function useFocusRestore(heading: RefObject<HTMLElement | null>, step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step && isFocusLost()) heading.current?.focus({ preventScroll: true });
    shown.current = step;
  }, [heading, step]);
}
