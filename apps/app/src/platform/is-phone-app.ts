/** Whether the pages run in the app of a phone: its bridge is there before any script of ours, or never. */
export function isPhoneApp(): boolean {
  const { Capacitor } = globalThis as { Capacitor?: { isNativePlatform(): boolean } };
  return Capacitor?.isNativePlatform() === true;
}
