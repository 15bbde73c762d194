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

/** Display time of informational toasts in milliseconds (specification, section 9). */
const infoMs = 1000;
/** Display time of error toasts in milliseconds (specification, section 9). */
const errorMs = 1500;
/** Display time in milliseconds of toasts with an action, long enough to read the message and press the button. */
const actionMs = 6000;

type Toast = {
  readonly message: string;
  readonly kind?: 'info' | 'error';
  readonly action?: { readonly label: string; run(): void };
  /** Whether the toast stays until it is dismissed. Used for server messages. */
  readonly sticky?: boolean;
};
type ShownToast = Toast & { readonly id: number };

const ToastContext = createContext<((toast: Toast) => void) | null>(null);

/** Returns a function that shows a short message: `show({ message, kind })`. */
export function useToast(): (toast: Toast) => void {
  const show = use(ToastContext);
  if (!show) throw new Error('useToast() outside <Toasts>');
  return show;
}

/** Provides and displays toasts. Only the newest one is visible. */
export function Toasts({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [toast, setToast] = useState<ShownToast | null>(null);
  const nextId = useRef(1);
  const hovered = useRef(false);
  const toastElement = useRef<HTMLDivElement>(null);
  const show = useCallback((newToast: Toast) => {
    // A toast dismissed by a click fires no pointer leave event.
    hovered.current = false;
    setToast({ ...newToast, id: nextId.current++ });
  }, []);
  const dismiss = () => setToast(null);
  const undoLabel = t('common.undo');

  useEffect(() => {
    if (!toast || toast.sticky) return;
    const ms = toast.action ? actionMs : toast.kind === 'error' ? errorMs : infoMs;
    let timer = setTimeout(function expire() {
      // Keep a toast open while it is under the pointer or has focus.
      const hasFocus = toastElement.current?.contains(document.activeElement);
      if (hovered.current || hasFocus) timer = setTimeout(expire, infoMs);
      else setToast(null);
    }, ms);
    return () => clearTimeout(timer);
  }, [toast]);

  // The toast is last in the tab order, so make the undo shortcut work from anywhere.
  useEffect(() => {
    const action = toast?.action;
    if (action?.label !== undoLabel) return;
    const undo = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const { target } = event;
      const isTyping = target instanceof Element && target.closest('input, textarea') !== null;
      if (!isUndo || event.key.toLowerCase() !== 'z' || isTyping || event.defaultPrevented) return;
      event.preventDefault();
      setToast(null);
      action.run();
    };
    window.addEventListener('keydown', undo);
    return () => window.removeEventListener('keydown', undo);
  }, [toast, undoLabel]);

  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" aria-live={toast?.kind === 'error' ? 'assertive' : 'polite'}>
        {toast && (
          <div
            key={toast.id}
            ref={toastElement}
            className="toast"
            data-kind={toast.kind ?? 'info'}
            data-testid="toast"
            onPointerEnter={() => {
              hovered.current = true;
            }}
            onPointerLeave={() => {
              hovered.current = false;
            }}
          >
            <p>{toast.message}</p>
            {toast.action && (
              <Button
                variant="quiet"
                aria-keyshortcuts={
                  toast.action.label === undoLabel ? 'Control+Z Meta+Z' : undefined
                }
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
