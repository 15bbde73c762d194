/** The `keyCode` of a key press handled by an input method (W3C, UI Events, section 6.3). */
const INPUT_METHOD_KEY_CODE = 229;

/**
 * Hides keys that belong to an input method, such as the Enter that accepts a suggestion, from all of the app's
 * handlers. Safari sends that Enter after the composition has ended, so only its code gives it away.
 */
export function hideInputMethodKeys(target: Pick<Window, 'addEventListener'>): void {
  target.addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing || event.keyCode === INPUT_METHOD_KEY_CODE) {
        event.stopImmediatePropagation();
      }
    },
    { capture: true },
  );
}
