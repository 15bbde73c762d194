/** Names of systems and browsers in a User-Agent header, the more telling first. */
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

/** The longest name that is kept; a program may call itself anything. */
const maxLength = 60;

/**
 * What signed in, as its owner recognises it: "Chrome · Android", or the name that a program gives itself.
 * '' without a User-Agent header.
 */
export function deviceName(userAgent = ''): string {
  const nameIn = (list: typeof systems) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [system, browser] = [nameIn(systems), nameIn(browsers)];
  if (system && browser) return `${browser} · ${system}`;
  const [program = ''] = /^[\w .-]+/.exec(userAgent) ?? [];
  return (system ?? program.trim()).slice(0, maxLength);
}
