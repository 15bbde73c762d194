import X from 'lucide-react/icons/x';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Button, IconButton } from './button.tsx';
import './toast.css';

/** Display times from section 9 of the specification. */
const infoMs = 1000;
const errorMs = 1500;
/** Longer display time for toasts with an undo button. */
const actionMs = 6000;

type Toast = {
  readonly message: string;
  readonly kind?: 'info' | 'error';
  readonly action?: { readonly label: string; run(): void };
  /** Stays until dismissed. Used for messages of the server. */
  readonly sticky?: boolean;
};
type ShownToast = Toast & { readonly id: number };

const ToastContext = createContext<((toast: Toast) => void) | null>(null);

/** Returns a function that shows a short message: `show({ words, kind })`. */
export function useToast(): (toast: Toast) => void {
  const show = use(ToastContext);
  if (!show) throw new Error('useToast() outside <Toasts>');
  return show;
}

/** Provides toasts. Only the newest is visible. */
export function Toasts({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [toast, setToast] = useState<ShownToast | null>(null);
  const nextId = useRef(1);
  const held = useRef(false);
  const shown = useRef<HTMLDivElement>(null);
  const show = useCallback((next: Toast) => {
    // A toast dismissed by a click fires no pointer leave event.
    held.current = false;
    setToast({ ...next, id: nextId.current++ });
  }, []);
  const dismiss = () => setToast(null);
  const undoing = t('common.undo');

  useEffect(() => {
    if (!toast || toast.sticky) return;
    const ms = toast.action ? actionMs : toast.kind === 'error' ? errorMs : infoMs;
    let timer = setTimeout(function expire() {
      // A toast under the pointer or with the focus stays open.
      const reached = shown.current?.contains(document.activeElement);
      if (held.current || reached) timer = setTimeout(expire, infoMs);
      else setToast(null);
    }, ms);
    return () => clearTimeout(timer);
  }, [toast]);

  // The toast is last in the tab order, so the undo shortcut works from anywhere.
  useEffect(() => {
    const action = toast?.action;
    if (action?.label !== undoing) return;
    const undo = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const { target } = event;
      const writing = target instanceof Element && target.closest('input, textarea') !== null;
      if (!isUndo || event.key.toLowerCase() !== 'z' || writing || event.defaultPrevented) return;
      event.preventDefault();
      setToast(null);
      action.run();
    };
    window.addEventListener('keydown', undo);
    return () => window.removeEventListener('keydown', undo);
  }, [toast, undoing]);

  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" aria-live={toast?.kind === 'error' ? 'assertive' : 'polite'}>
        {toast && (
          <div
            key={toast.id}
            ref={shown}
            className="toast"
            data-kind={toast.kind ?? 'info'}
            data-testid="toast"
            onPointerEnter={() => {
              held.current = true;
            }}
            onPointerLeave={() => {
              held.current = false;
            }}
          >
            <p>{toast.message}</p>
            {toast.action && (
              <Button
                look="quiet"
                aria-keyshortcuts={toast.action.label === undoing ? 'Control+Z Meta+Z' : undefined}
                onClick={() => {
                  dismiss();
                  toast.action?.run();
                }}
              >
                {toast.action.label}
              </Button>
            )}
            {toast.sticky && (
              <IconButton label={t('common.dismiss')} onClick={dismiss}>
                <X size={18} />
              </IconButton>
            )}
          </div>
        )}
      </div>
    </ToastContext>
  );
}
