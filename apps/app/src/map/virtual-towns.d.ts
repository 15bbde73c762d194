/**
 * Generated at build time from the npm package city-timezones (vite.config.ts): name, latitude, longitude, population.
 */
declare module 'virtual:towns' {
  const rows: readonly (readonly [string, number, number, number])[];
  export default rows;
}
