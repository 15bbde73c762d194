import { App } from '@capacitor/app';

/** Matches the overlays that Android's back gesture closes. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Handles Android's back gesture: closes the top overlay, navigates back, or minimizes the app. */
export async function handleBackGesture(): Promise<void> {
  await App.addListener('backButton', ({ canGoBack }) => {
    const overlay = [...document.querySelectorAll(OVERLAYS)].at(-1);
    if (overlay) {
      overlay.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    } else if (canGoBack) {
      history.back();
    } else {
      void App.minimizeApp();
    }
  });
}
