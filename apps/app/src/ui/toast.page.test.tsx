import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setLanguage } from '../testing/render-page.tsx';
import { Toasts, useToast } from './toast.tsx';

beforeEach(async () => {
  await setLanguage('en');
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const openLabel = 'Open';

function Opener({ toast }: { toast: Parameters<ReturnType<typeof useToast>>[0] }) {
  const show = useToast();
  return (
    <button type="button" onClick={() => show(toast)}>
      {openLabel}
    </button>
  );
}

/** Opens a toast. */
function open(toast: Parameters<ReturnType<typeof useToast>>[0]): void {
  render(
    <Toasts>
      <Opener toast={toast} />
    </Toasts>,
  );
  press(screen.getByRole('button', { name: openLabel }));
}

/** Clicks, and renders the result, because the timers that React uses are fake. */
const press = (button: HTMLElement) => act(() => void fireEvent.click(button));
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const toast = () => screen.queryByTestId('toast');

it.each([
  ['info', 1000],
  ['error', 1500],
] as const)('hides a toast of kind %s after %d ms', (kind, ms) => {
  open({ message: 'Saved', kind });
  wait(ms - 50);
  expect(toast()?.textContent).toBe('Saved');
  wait(100);
  expect(toast()).toBeNull();
});

it('hides a toast with an action after 6 s', () => {
  open({ message: 'Deleted', action: { label: 'Undo', run: () => {} } });
  wait(5950);
  expect(toast()).not.toBeNull();
  wait(100);
  expect(toast()).toBeNull();
});

it('keeps a toast open while it is hovered', () => {
  open({ message: 'Saved' });
  fireEvent.pointerEnter(screen.getByTestId('toast'));
  wait(10_000);
  expect(toast()).not.toBeNull();
  fireEvent.pointerLeave(screen.getByTestId('toast'));
  wait(1050);
  expect(toast()).toBeNull();
});

it('keeps a server message until it is dismissed', () => {
  open({ message: 'The server is being moved.', kind: 'error', sticky: true });
  wait(3_600_000);
  expect(toast()?.textContent).toContain('The server is being moved');
  press(screen.getByRole('button', { name: 'Dismiss' }));
  expect(toast()).toBeNull();
});

it.each([
  // A touch leaves the toast before the click, a mouse doesn't.
  ['touch', ['pointerEnter', 'pointerLeave']],
  ['mouse', ['pointerEnter']],
] as const)('hides a toast opened from another toast by %s', (pointerType, events) => {
  function UndoOpener() {
    const show = useToast();
    const action = { label: 'Undo', run: () => show({ message: 'Restored' }) };
    return (
      <button type="button" onClick={() => show({ message: 'Deleted', action })}>
        {openLabel}
      </button>
    );
  }
  render(
    <Toasts>
      <UndoOpener />
    </Toasts>,
  );
  press(screen.getByRole('button', { name: openLabel }));
  for (const event of events) fireEvent[event](screen.getByTestId('toast'), { pointerType });
  press(screen.getByRole('button', { name: 'Undo' }));
  expect(toast()?.textContent).toBe('Restored');
  wait(1050);
  expect(toast()).toBeNull();
});
