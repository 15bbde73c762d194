/** Patterns for operating systems and browsers in a User-Agent header, most specific first. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPad/, 'iPad'],
  [/iPhone|iPod/, 'iPhone'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
];
const browsers: readonly (readonly [RegExp, string])[] = [
  [/EdgA?\/|EdgiOS\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/; wv\)/, 'Linnet'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
  [/iPhone|iPad/, 'Linnet'],
];

/** Maximum length of a name, because clients may send an arbitrarily long User-Agent. */
const maxLength = 60;

/**
 * Returns a device's display name, such as "Chrome · Android". For an unknown client, the name is the first few words
 * of the User-Agent header; without the header it is ''.
 */
export function deviceName(userAgent = ''): string {
  const nameIn = (list: typeof systems) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [system, browser] = [nameIn(systems), nameIn(browsers)];
  if (system && browser) return `${browser} · ${system}`;
  const [program = ''] = /^[\w .-]+/.exec(userAgent) ?? [];
  return (system ?? program.trim()).slice(0, maxLength);
}
