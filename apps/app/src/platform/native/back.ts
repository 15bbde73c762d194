import { App } from '@capacitor/app';

/** Overlays that Android's back gesture closes before navigating. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** The back gesture closes an overlay, else goes back, else minimizes the app. iOS has no such gesture. */
export async function followBackGesture(): Promise<void> {
  await App.addListener('backButton', ({ canGoBack }) => {
    const open = [...document.querySelectorAll(OPEN)].at(-1);
    if (open) {
      open.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    } else if (canGoBack) {
      history.back();
    } else {
      void App.minimizeApp();
    }
  });
}
