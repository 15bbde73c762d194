/** Made by the build from the npm package city-timezones (vite.config.ts): name, latitude, longitude, people. */
declare module 'virtual:towns' {
  const rows: readonly (readonly [string, number, number, number])[];
  export default rows;
}
