/** Returns whether one version is older than another. Versions are dotted numbers; missing parts count as 0. */
export function isOlderVersion(version: string, other: string): boolean {
  const [a, b] = [version.split('.').map(Number), other.split('.').map(Number)];
  for (let part = 0; part < Math.max(a.length, b.length); part += 1) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
