/** Whether the pages run in the app of a phone: its bridge is there before any script of ours, or never. */
export function isPhoneApp(): boolean {
  const { Capacitor } = globalThis as { Capacitor?: { isNativePlatform(): boolean } };
  return Capacitor?.isNativePlatform() === true;
}

/** Where the server answers: '' for pages that it serves itself; the apps of phones are told when they are built. */
export function serverOrigin(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="server"]')?.content ?? '';
}
