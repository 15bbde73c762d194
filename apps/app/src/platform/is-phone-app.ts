/** Whether the app runs inside the native phone app. Its bridge is injected before any script, or never. */
export function isPhoneApp(): boolean {
  const { Capacitor } = globalThis as { Capacitor?: { isNativePlatform(): boolean } };
  return Capacitor?.isNativePlatform() === true;
}
