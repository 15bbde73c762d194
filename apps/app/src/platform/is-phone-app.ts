/** Returns whether this is a phone app, which injects its bridge before any script runs. */
export function isPhoneApp(): boolean {
  const { Capacitor } = globalThis as { Capacitor?: { isNativePlatform(): boolean } };
  return Capacitor?.isNativePlatform() === true;
}
