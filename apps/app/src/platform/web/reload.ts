/** Returns whether this page is a reload of the previous one, by the user or after a crash. */
export function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
}
