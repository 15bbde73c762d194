import { App } from '@capacitor/app';

/** What Android's back gesture closes before it goes anywhere. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** The back gesture closes what is open, else goes back, else leaves the app as it is. iOS has none. */
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
