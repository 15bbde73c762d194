/**
 * Navigates between screens. The next screen's code loads before the transition starts, and view transitions show the
 * direction. The system's back gesture keeps its own animation.
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

/** Preloads the page at a path. The router provides the function, because pages must not depend on each other. */
const PreloadContext = createContext<(path: string) => Promise<void>>(() => Promise.resolve());
export const PreloadProvider = PreloadContext.Provider;

type Transition = 'push' | 'pop' | 'switch';

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** Changes screens inside a view transition if the browser supports it. */
function withTransition(kind: Transition, change: () => void | Promise<void>): void {
  if (!document.startViewTransition || reducedMotion.matches || document.hidden) {
    void change();
    return;
  }
  const root = document.documentElement;
  root.dataset.transition = kind;
  const transition = document.startViewTransition(change);
  // `ready` rejects if the browser skips the animation, for example in a hidden tab. The screen still changes.
  transition.ready.catch(() => {});
  // `finished` rejects only if `change` fails. Leave that rejection unhandled, so it gets reported.
  transition.finished.finally(() => {
    delete root.dataset.transition;
  });
}

/**
 * Returns a function that navigates to another screen after loading its code. If loading fails, the target screen shows
 * the error.
 */
export function useNavigateTo() {
  const navigate = useNavigate();
  const preloadPath = use(PreloadContext);
  return async (to: string, options: { transition?: Transition; replace?: boolean } = {}) => {
    const applyNavigation = () =>
      flushSync(() => {
        void navigate(to, { replace: options.replace ?? false });
      });
    try {
      await preloadPath(to);
    } catch {
      // The target screen shows the error and offers a retry.
      applyNavigation();
      return;
    }
    withTransition(options.transition ?? 'push', applyNavigation);
  };
}

/** Maximum time in milliseconds to wait for the browser to go back, because the screen is frozen until then. */
const backTimeoutMs = 250;

/**
 * Resolves once the browser has gone back and React has rendered, which it does before the next task. Waiting for an
 * animation frame wouldn't work, because the browser produces none while it captures a view transition.
 */
function waitForBackNavigation(): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, backTimeoutMs);
    const settle = () => {
      clearTimeout(timeout);
      setTimeout(resolve);
    };
    window.addEventListener('popstate', settle, { once: true });
  });
}

/**
 * Returns a function that goes back. A screen opened by a deep link has no history, so the function navigates to
 * `parent` instead of leaving the app.
 */
export function useBack(parent: string) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const navigateTo = useNavigateTo();
  const preloadPath = use(PreloadContext);
  return () => {
    if (key === 'default') {
      void navigateTo(parent, { transition: 'pop', replace: true });
      return;
    }
    void preloadPath(parent).then(
      () =>
        withTransition('pop', () => {
          const backNavigation = waitForBackNavigation();
          void navigate(-1);
          return backNavigation;
        }),
      // If the code fails to load, navigate without a transition. The target screen shows the error.
      () => navigate(-1),
    );
  };
}

/** A link that preloads its target on pointer down, hover or focus, and navigates with a transition. */
export function PageLink({
  to,
  transition = 'push',
  replace = false,
  onPointerDown,
  onClick,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & { to: string; transition?: Transition; replace?: boolean }) {
  const navigateTo = useNavigateTo();
  const preloadPath = use(PreloadContext);
  const href = useHref(to);
  // Navigation retries a failed preload, and the target screen reports a second failure.
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
        const isPlainClick =
          event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
        if (event.defaultPrevented || !isPlainClick) return;
        event.preventDefault();
        void navigateTo(to, { transition, replace });
      }}
    />
  );
}

/** Returns whether the focused element has been removed from the page. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/**
 * Returns a ref for a screen's heading. Moves focus to it if the screen was pushed, or replaced the screen that had
 * focus. Focus moves in the same commit that shows the screen, because the user may focus something else right
 * afterwards.
 * @param isTarget whether this screen is the navigation target rather than a screen shown beside it
 */
export function useFocusOnArrival<E extends HTMLElement>(isTarget = true): RefObject<E | null> {
  const ref = useRef<E>(null);
  const type = useNavigationType();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new arrival.
  useLayoutEffect(() => {
    const isArrival = type === 'PUSH' || (type === 'REPLACE' && isFocusLost());
    if (isTarget && isArrival) ref.current?.focus({ preventScroll: true });
  }, [isTarget, type, key]);
  return ref;
}

/** Moves focus to the heading if a new step of the screen has removed the focused element. */
export function useFocusRestore(heading: RefObject<HTMLElement | null>, step: string): void {
  const lastStep = useRef(step);
  useEffect(() => {
    if (lastStep.current !== step && isFocusLost()) heading.current?.focus({ preventScroll: true });
    lastStep.current = step;
  }, [heading, step]);
}
